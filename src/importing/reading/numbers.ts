/** An append-only list of numbers. It takes eight bytes for each number, and no work of the garbage collector. */
export class NumberList {
  length = 0
  private values = new Float64Array(1024)

  push(value: number): void {
    if (this.length === this.values.length) {
      const longer = new Float64Array(2 * this.length)
      longer.set(this.values)
      this.values = longer
    }
    this.values[this.length++] = value
  }

  at(index: number): number {
    if (index >= this.length) throw new RangeError(`there is no number at ${index}`)
    return this.values[index] as number
  }
}
