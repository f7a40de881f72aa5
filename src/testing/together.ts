import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { scaleTimeout } from './slowness.ts'
// before any test file imports it
import './after-all-files.ts'

/** Timeout of a file in milliseconds; each test in it has the same timeout. */
const FILE_TIMEOUT_MS = scaleTimeout(600_000)

/**
 * Runs test files one after the other in this process, which loads the service only once. Hooks and services at the top of a file (`after`,
 * `beforeEach`, `testService`) stay its own: they begin and end with the test that represents the file here, whose name is the path of the
 * file (`hide-file-counts.ts` omits that test from the report).
 * @param files the name of each file, and the module to run for it
 */
export function runFiles(files: readonly (readonly [string, string])[]): void {
  for (const [file, module] of files) test(file, { timeout: FILE_TIMEOUT_MS }, () => import(pathToFileURL(module).href))
}
