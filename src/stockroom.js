#!/usr/bin/env -S node --max-semi-space-size=4
import { mkdirSync } from 'node:fs'
// Older versions of Node lack some of its functions, and are to say so in words of ours.
import * as modules from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleServer } from './server-bundle/bundled.js'

// The door of the program: runs the bundle of its sources, which is made first where there is none of them as they are. `node src/cli.ts`
// runs the sources themselves. It is no TypeScript, so that what reads that, which takes 20 MB, is not loaded.

/** The first version of Node that runs the program. */
const NODE = 24

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
  modules.enableCompileCache(join(data, 'compiled'))
}

/**
 * Ends the program with words for the person who starts it.
 * @param {string} text
 * @returns {never}
 */
function end(text) {
  console.error(`stockroom: ${text}`)
  process.exit(1)
}

/** @returns the folder of the bundle */
function bundled() {
  try {
    return bundleServer()
  } catch (error) {
    return end(`the program cannot be bundled: ${/** @type {Error} */ (error).message}
Run "npm rebuild && npm run bundle" in ${resolve(import.meta.dirname, '..')}, as a user with write permission.`)
  }
}

if (Number.parseInt(process.versions.node, 10) < NODE)
  end(`this is Node ${process.versions.node}, but Node ${NODE} is required. npm installs it with the program, unless it ran with
--ignore-scripts: run "npm rebuild node", and start with "npm start" or "npx stockroom serve".`)
if (process.argv[2] === 'serve') keepCompiled()
await import(pathToFileURL(join(bundled(), 'cli.js')).href)
