// Errors by the name of Python's class, which is what translated code tells them by.

export function failed(name, text) {
  const error = new Error(text);
  error.name = name;
  return error;
}

export const valueError = (text) => failed("ValueError", text);
export const indexError = (text) => failed("IndexError", text);
export const typeError = (text) => failed("TypeError", text);
