import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** How much memory a process uses, in bytes: what lies in memory, and what was put out to disk. Undefined when it cannot be known. */
export async function memoryOf(pid: number): Promise<number | undefined> {
  try {
    if (process.platform === 'linux') return fromStatus(readFileSync(`/proc/${pid}/status`, 'utf8'))
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)], { timeout: 2_000 })
    return Number(stdout) * 1024
  } catch {
    return undefined
  }
}

function fromStatus(status: string): number {
  const kilobytes = [...status.matchAll(/^(?:VmRSS|VmSwap):\s+(\d+) kB$/gm)].map(([, number]) => Number(number))
  return kilobytes.reduce((sum, number) => sum + number, 0) * 1024
}
