import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Returns the memory of a process in bytes: resident and swapped. Undefined if unknown. */
export async function readMemory(pid: number): Promise<number | undefined> {
  try {
    if (process.platform === 'linux') return parseStatus(readFileSync(`/proc/${pid}/status`, 'utf8'))
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)], { timeout: 2_000 })
    return Number(stdout) * 1024
  } catch {
    return undefined
  }
}

function parseStatus(status: string): number {
  const kilobytes = [...status.matchAll(/^(?:VmRSS|VmSwap):\s+(\d+) kB$/gm)].map(([, number]) => Number(number))
  return kilobytes.reduce((sum, number) => sum + number, 0) * 1024
}

/** Returns the memory of a process and its descendants; shared memory counts for each. On Linux only: elsewhere that of the process itself. */
export async function readTreeMemory(pid: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return readMemory(pid)
  const used = await Promise.all(listProcessTree(pid).map(readMemory))
  return used.reduce<number>((sum, bytes = 0) => sum + bytes, 0)
}

/** Returns a process and its descendants, on Linux. */
export function listProcessTree(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
    return [pid, ...children.flatMap(listProcessTree)]
  } catch {
    // it has ended
    return []
  }
}

/** Whether a process is running. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
