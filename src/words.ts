import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errors } from './console/languages/en/errors.ts'
import { en } from './console/languages/en.ts'
import { ROOT } from './paths.ts'

/**
 * Checks the English texts of the console for words that `docs/glossary.md` replaces: those in `code` in the last column of its tables.
 * `npm run check` runs this file and fails when it finds one.
 */
const formerWords = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .flatMap((line) => {
    const [, term = '', , former = ''] = line.split('|').map((cell) => cell.trim())
    return [...former.matchAll(/`([^`]+)`/g)].map(([, word = '']) => ({
      term,
      word,
      // as a whole word: "replace" does not match "place"
      pattern: new RegExp(`(?<![\\w-])${word.replaceAll(' ', '\\s+')}(?![\\w-])`, 'i'),
    }))
  })

const problems = Object.entries({ ...en, ...errors }).flatMap(([key, text]) =>
  formerWords
    .filter(({ pattern }) => pattern.test(text.replaceAll(/\{[^}]*\}/g, '')))
    .map(({ term, word }) => `${key}: "${text}" says "${word}"; the term is: ${term}`),
)

for (const problem of problems) console.error(problem)
if (formerWords.length === 0) throw new Error('docs/glossary.md names no former words')
process.exitCode = problems.length > 0 ? 1 : 0
