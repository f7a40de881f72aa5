/** An append-only list of numbers. It takes eight bytes for each, and costs the garbage collector nothing. */
export class Numbers {
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

  at(place: number): number {
    if (place >= this.length) throw new RangeError(`there is no number at ${place}`)
    return this.values[place] as number
  }
}
