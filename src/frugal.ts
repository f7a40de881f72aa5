import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Gives back what a start leaves behind: a fifth of the memory of a process that has nothing to do yet, which V8 would keep for as long
 * as that is so. It takes a fifth of a second.
 */
export function giveBackMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NonNullable<typeof globalThis.gc>
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
