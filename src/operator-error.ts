/**
 * Something the person who runs Stockroom can put right: a bad setting, a port in use, a data folder in use.
 * Its message is one line, and is shown without a stack.
 */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError'
}
