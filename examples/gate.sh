#!/bin/sh
# Deploy a new model unless it costs more than the rule in use:
#   sh gate.sh PREDICTIONS.csv NEW BASELINE_MODEL:THRESHOLD
# What is undecided goes to a person; what cannot be run is nobody's verdict.
status=0
costspace compare "$1" --label y_true --score "$2" --score "${3%%:*}" --baseline "$3" \
    --fp-cost 1 --fn-cost 5 --fail-if "savings.$2.baseline < 0" -o comparison.txt || status=$?
case $status in
0) echo "deploy $2" ;;
3) echo "keep $3" ;;
4) echo "ask for more labelled cases" ;;
2) echo "mend the call or the file" ;;
*) echo "it crashed: no verdict" ;;
esac
exit $status
