/**
 * An error that the operator of Stockroom can fix: an invalid setting, a port in use, a data folder in use. Its message is one line, and is
 * shown without a stack.
 */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError'
}
