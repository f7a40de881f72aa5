/** Runs tasks one after the other, in the order in which they are added, whatever the results of earlier ones; returns the result of each. */
export function createSerialQueue(): <T>(task: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const result = last.then(task)
    last = result.catch(() => undefined)
    return result
  }
}
