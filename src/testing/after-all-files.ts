import { after } from 'node:test'

const callbacks: (() => unknown)[] = []

// Registered where this module is first loaded: at the top of a test file, or of the process that runs several of them.
after(() => Promise.all(callbacks.map((end) => end())))

/** Registers a function to call when all test files of this process have ended: for resources that they share, such as a browser. */
export function runAfterAllFiles(end: () => unknown): void {
  callbacks.push(end)
}
