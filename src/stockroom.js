#!/usr/bin/env -S node --max-semi-space-size=4 --heap-growing-percent=30
import { mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join, resolve } from 'node:path'

// The door of the program: all else is behind `cli.ts`. It is no TypeScript, so that what reads that, which takes 20 MB, is not loaded where
// everything is compiled already.

/**
 * Keeps what is compiled of the program in `compiled` below the data folder, where nobody else may write: the next start of the service
 * has a third less to do. Without it, everything works as well.
 */
function keepCompiled() {
  const data = resolve(process.env.DATA_DIR || 'data')
  try {
    mkdirSync(data, { mode: 0o700 })
  } catch {
    // it is there, or the start says what is wrong with it
  }
  enableCompileCache(join(data, 'compiled'))
}

if (process.argv[2] === 'serve') keepCompiled()
await import('./quick-start.js')
await import('./cli.ts')
