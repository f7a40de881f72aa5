#!/usr/bin/env -S node --max-semi-space-size=4
import { mkdirSync } from 'node:fs'
// Older versions of Node lack some of its functions, and should end with a message of our own.
import * as modules from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleServer } from './server-bundle/bundled.js'

// The entry point of the program: runs the bundle of its sources, and builds it first if there is none for the current sources. `node
// src/cli.ts` runs the sources themselves. It is not TypeScript, to avoid loading the TypeScript support, which takes 20 MB.

/** The first version of Node that runs the program. */
const NODE = 24

/**
 * Caches compiled code of the program in `compiled` below the data folder, where nobody else may write: the next start of the service then
 * takes a third less work. Without it, everything works as well.
 */
function keepCompiled() {
  const data = resolve(process.env.DATA_DIR || 'data')
  try {
    mkdirSync(data, { mode: 0o700 })
  } catch {
    // it exists, or the start reports what is wrong with it
  }
  modules.enableCompileCache(join(data, 'compiled'))
}

/**
 * Ends the program with a message for the operator.
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
