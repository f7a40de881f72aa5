/** An installation error: the reason, in human-readable lines without secrets. */
export class InstallError extends Error {
  readonly lines: readonly string[]
  /** The invalid field of the request; undefined if the request as a whole is at fault. */
  readonly field: 'packagename' | undefined

  constructor(text: string, field?: 'packagename') {
    super(text)
    this.lines = text.split('\n').filter((line) => line.trim() !== '')
    this.field = field
  }
}
