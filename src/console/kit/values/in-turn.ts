/** Runs tasks one after the other, in the order in which they are given, whatever becomes of those before; each gives what it gives. */
export function inTurn(): <T>(task: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const mine = last.then(task)
    last = mine.catch(() => undefined)
    return mine
  }
}
