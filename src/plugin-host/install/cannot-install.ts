/** A package cannot be installed: why, in lines for people, without secrets. */
export class CannotInstall extends Error {
  readonly lines: readonly string[]
  /** The field of the request that is at fault; without one, the request as a whole. */
  readonly field: 'packagename' | undefined

  constructor(text: string, field?: 'packagename') {
    super(text)
    this.lines = text.split('\n').filter((line) => line.trim() !== '')
    this.field = field
  }
}
