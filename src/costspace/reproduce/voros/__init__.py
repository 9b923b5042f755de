"""Ratigan and Cowen (2024), The VOROS: lifting ROC curves to 3D."""
