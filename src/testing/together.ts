import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { patience } from './slowness.ts'
// before any test file asks for it
import './end.ts'

/** Milliseconds that a file may take; a test of it has the limit of its file. */
const FILE_TIMEOUT_MS = patience(600_000)

/**
 * Runs test files one after the other in this process, which loads the service only once. What a file calls at its top (`after`,
 * `beforeEach`, `testService`) is its own all the same: it begins and ends with the test that the file is here, whose name is the path
 * of the file (`files.ts` beside it leaves that test out of the report).
 * @param files the name of each, and the module that runs in its place
 */
export function together(files: readonly (readonly [string, string])[]): void {
  for (const [file, module] of files) test(file, { timeout: FILE_TIMEOUT_MS }, () => import(pathToFileURL(module).href))
}
