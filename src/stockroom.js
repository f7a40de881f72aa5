#!/usr/bin/env -S node --max-semi-space-size=4
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
// Older versions of Node lack some of its functions.
import * as modules from 'node:module'
import { constants } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

// The entry point of the program: runs the bundle, with a Node that can. In a checkout that is the bundle of the current sources, which is
// built first if it is missing. `node src/cli.ts` runs the sources themselves. This is not TypeScript, to avoid loading the TypeScript
// support, which takes 20 MB.

/** The first version of Node that runs the program. */
const NODE = 24
/** Holds the process that started this one only because its own Node is too old. */
const STARTER = 'STOCKROOM_STARTER'

const file = fileURLToPath(import.meta.url)
const root = resolve(dirname(file), '..')

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

/** Runs the program with the Node that npm installed with it, and ends as it does. */
function runWithInstalledNode() {
  const version = `this is Node ${process.versions.node}, but Node ${NODE} or newer is required`
  const child = spawn(findInstalledNode(version), ['--max-semi-space-size=4', file, ...process.argv.slice(2)], {
    env: { ...process.env, [STARTER]: String(process.pid) },
    // the child stops when the channel closes, as it does if this process is killed
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  child.once('error', (error) => end(`${version}, and the one that npm installed does not run: ${error.message}`))
  child.once('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)))
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => child.kill(signal))
}

/**
 * Finds the Node that npm installed with the program.
 * @param {string} version the reason why it is needed
 */
function findInstalledNode(version) {
  const name = `node-${process.platform}-${process.arch}`
  try {
    return modules.createRequire(file).resolve(`${name}/bin/node`)
  } catch {
    return end(
      process.platform === 'linux'
        ? `${version}; the package ${name} with one is not installed: install the program again, with optional dependencies`
        : `${version}; install one from https://nodejs.org`,
    )
  }
}

/** Stops this process when the one that started it has ended. */
function stopWithStarter() {
  if (process.env[STARTER] !== String(process.ppid)) return
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel?.unref()
}

/** @returns {Promise<string>} the folder of the bundle */
async function findBundle() {
  const packed = join(root, 'dist/packed/server')
  if (!existsSync(join(root, 'src/cli.ts')))
    return existsSync(packed) ? packed : end(`this package is incomplete: ${packed} is missing`)
  const { bundleServer } = await import('./server-bundle/bundled.js')
  try {
    return bundleServer()
  } catch (error) {
    return end(`the program cannot be bundled: ${/** @type {Error} */ (error).message}
Run "npm ci" in ${root}, as a user with write permission.`)
  }
}

if (Number.parseInt(process.versions.node, 10) < NODE) {
  runWithInstalledNode()
} else {
  stopWithStarter()
  const [, , command = 'serve'] = process.argv
  if (command === 'serve') keepCompiled()
  await import(pathToFileURL(join(await findBundle(), 'cli.js')).href)
}
