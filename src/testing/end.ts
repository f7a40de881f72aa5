import { after } from 'node:test'

const ends: (() => unknown)[] = []

// Registered where this module is loaded first: at the top of a test file, or of the process that runs several of them.
after(() => Promise.all(ends.map((end) => end())))

/** Has something done when all test files of this process are through: what they share, such as a browser, lives as long as that. */
export function atEnd(end: () => unknown): void {
  ends.push(end)
}
