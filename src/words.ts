import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { errors } from './console/languages/en/errors.ts'
import { en } from './console/languages/en.ts'
import { ROOT } from './paths.ts'

/**
 * Checks texts and names against `docs/glossary.md`; `npm run check` runs this file. It rejects words in `code` in the last column of the
 * glossary's tables in the English texts of the console and in the descriptions of the API, and the words of its last section in names of
 * files and exported names.
 */
const [tables = '', names = ''] = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8').split('## Words that names avoid')

const replacedWords = tables
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .flatMap((line) => {
    const [, term = '', , former = ''] = line.split('|').map((cell) => cell.trim())
    return [...former.matchAll(/`([^`]+)`/g)].map(([, word = '']) => ({
      term,
      word,
      // as a word of its own: "replace" does not contain "place"
      pattern: new RegExp(`(?<![\\w-])${word.replaceAll(' ', '\\s+')}(?![\\w-])`, 'i'),
    }))
  })
const avoidedWords = new Set([...names.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word))
if (replacedWords.length === 0 || avoidedWords.size === 0) throw new Error('docs/glossary.md lists no former words')

// the search finds pages by words that people know from elsewhere
const texts = Object.entries({ ...en, ...errors }).filter(([key]) => !key.endsWith('.words'))

const problems = texts.flatMap(([key, text]) =>
  replacedWords
    .filter(({ pattern }) => pattern.test(text.replaceAll(/\{[^}]*\}/g, '')))
    .map(({ term, word }) => `${key}: "${text}" says "${word}"; the term is: ${term}`),
)

/** Words that the API uses with another meaning, or as the name of an object. */
const WORDS_OF_THE_API = new Set([
  'bill of materials',
  'extra line',
  'free',
  'inside',
  'keys',
  'may not',
  'news',
  'price of one',
  'with serial numbers',
])
const descriptions = readFileSync(join(ROOT, 'generated/openapi.json'), 'utf8').matchAll(
  /"(?:summary|description)": "((?:[^"\\]|\\.)*)"/g,
)
for (const text of new Set([...descriptions].map(([, text = '']) => text.replaceAll(/`[^`]*`/g, ''))))
  for (const { term, word, pattern } of replacedWords)
    if (!WORDS_OF_THE_API.has(word) && pattern.test(text))
      problems.push(`the API says "${word}": "${text}"; the term is: ${term}`)

for (const [key, text] of texts) if (/\s…/.test(text)) problems.push(`${key}: "${text}" has a space before the ellipsis`)

/** The words of a name: `parse-CSV_File` and `parseCsvFile` have the same. */
const splitWords = (name: string): string[] =>
  [...name.matchAll(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)].map(([word]) => word.toLowerCase())

const EXPORT = /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|type|interface) (\w+)/gm

// names of the plugin API are an interface, older than the glossary
for (const file of globSync('{src,bench}/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['src/plugin-api/**'] })) {
  const exported = [...readFileSync(join(ROOT, file), 'utf8').matchAll(EXPORT)].map(([, name = '']) => name)
  for (const name of [basename(file).replace(/\..*/, ''), ...exported]) {
    const word = splitWords(name).find((word) => avoidedWords.has(word))
    if (word) problems.push(`${file}: the name ${name} has the word "${word}"; docs/glossary.md has the term for it`)
  }
}

for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
