// Exceptions of Python.

export class BaseException_ extends Error {
  constructor(message = "") {
    super(message);
    this.args = [message];
  }

  static $name = "BaseException";

  get name() {
    return this.constructor.$name;
  }

  __str__() {
    return this.message;
  }
}

export class Exception_ extends BaseException_ {
  static $name = "Exception";
}

export class ValueError_ extends Exception_ {
  static $name = "ValueError";
}

export class TypeError_ extends Exception_ {
  static $name = "TypeError";
}

export class KeyError_ extends Exception_ {
  static $name = "KeyError";
}

export class IndexError_ extends Exception_ {
  static $name = "IndexError";
}

export class ArithmeticError_ extends Exception_ {
  static $name = "ArithmeticError";
}

export class OverflowError_ extends ArithmeticError_ {
  static $name = "OverflowError";
}

export class ZeroDivisionError_ extends ArithmeticError_ {
  static $name = "ZeroDivisionError";
}

export class AssertionError_ extends Exception_ {
  static $name = "AssertionError";
}

/** What is thrown: an instance also where Python names the class alone. */
export function raised(error) {
  return typeof error === "function" ? new error() : error;
}

/** Whether an error is of one of some classes; the array library names them only. */
export function caught(error, kinds) {
  return kinds.some(
    (kind) => kind !== null && (error instanceof kind || error.name === kind.$name),
  );
}

/** What the page has no form of: it says so where it is asked for, and not before. */
export function missing(name) {
  throw new Error(`${name} is not on the page`);
}
