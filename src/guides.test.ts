import assert from 'node:assert/strict'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { generate } from 'selfsigned'
import { en } from './console/languages/en.ts'
import { createWorkshopRecords } from './importing/fixture.ts'
import { OPENAPI, ROOT } from './paths.ts'
import { GuideRunner, readGuideBlocks } from './testing/guide.ts'
import { printingUnsupported } from './testing/printing.ts'

/** Puts what the pages expect to be there already: a dump of InvenTree with its media folder, a certificate, and a folder for backups. */
async function prepare(clone: string): Promise<void> {
  // the fixture has wrong numbers of serial numbers, which its own tests need, and which a comparison with the dump reports
  const records = createWorkshopRecords().map((record) =>
    record.model === 'stock.stockitem'
      ? { ...record, fields: { ...record.fields, serial_int: Number(record.fields.serial) } }
      : record,
  )
  writeFileSync(join(clone, 'dump.json'), JSON.stringify(records))
  const elsewhere = (path: string) => join(clone, '..', path)
  for (const folder of ['elsewhere', 'mnt/backups', 'var/lib', 'etc/ssl', 'path/to/its/media'])
    mkdirSync(elsewhere(folder), { recursive: true })
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'stock.example.com' }])
  writeFileSync(elsewhere('etc/ssl/stock.example.com.pem'), cert)
  writeFileSync(elsewhere('etc/ssl/stock.example.com.key'), key)
}

const runner = new GuideRunner(prepare)
after(() => runner.close())

/** What readers of a page have done before: they have a service, with demo data where the page says so. */
const DEMO = 'npm run demo && npm start'
const BEFORE: Record<string, string> = {
  'docs/guides/accounts.md': DEMO,
  'docs/guides/backup-and-upgrade.md': "ADMIN_USERNAME=admin ADMIN_PASSWORD='choose one' npm start",
  'docs/guides/import-a-spreadsheet.md': DEMO,
  'docs/guides/plugins.md': DEMO,
  'docs/guides/scanning-and-labels.md': DEMO,
  'docs/guides/templates.md': DEMO,
}

const pages = ['README.md', ...globSync('docs/guides/*.md', { cwd: ROOT }).sort()].map((name) => ({
  name,
  text: readFileSync(join(ROOT, name), 'utf8'),
}))
const guides = pages.map(({ name, text }) => ({ name, text, blocks: readGuideBlocks(text) }))

/** Commands that no test runs, by their reason: a page cannot add one without a line here. */
const NOT_RUN: Record<string, number> = {
  'a test of the client does this in an empty project': 1,
  'changes the clone': 1,
  'needs Python and its package index': 1,
  'needs a PostgreSQL server': 1,
  'needs a running InvenTree': 1,
  'needs a bucket': 2,
}

/** The commands before a page, as a block. */
const before = (name: string) => (BEFORE[name] === undefined ? [] : [{ line: 0, text: `${BEFORE[name]}\n` }])

describe('the commands of the guides', () => {
  for (const { name, text, blocks } of guides.filter(({ blocks }) => blocks.length > 0))
    it(`work as printed in ${name}`, { skip: /-F label=/.test(text) && printingUnsupported }, () =>
      runner.run(name, [...before(name), ...blocks]),
    )

  it('run, except those that need something that a test does not have', () => {
    const reasons = guides.flatMap(({ blocks }) => blocks.flatMap(({ notRun }) => notRun ?? []))
    assert.deepEqual(
      Object.fromEntries(
        Object.entries(Object.groupBy(reasons, (reason) => reason)).map(([reason, all = []]) => [reason, all.length]),
      ),
      NOT_RUN,
    )
  })

  it('are reported with their line when they fail, and when their request gets another status', async () => {
    const page = '```sh\ntrue\n```\n\n```sh\ntrue\nfalse\n```\n'
    await assert.rejects(runner.run('failing', readGuideBlocks(page)), /^Error: failing, line 5: ended with 1/)
    const request = (remark: string) =>
      readGuideBlocks(`\`\`\`sh${remark}\nnpm start\ncurl -sS http://127.0.0.1:8000/api/part/\n\`\`\`\n`)
    await assert.rejects(runner.run('unauthorized', request('')), /status 401/)
    await runner.run('unauthorized as said', request(' responds 401'))
    assert.throws(() => readGuideBlocks('```sh sometimes\n```\n'), /line 1: "sh sometimes" has no meaning/)
  })
})

/** Guides whose readers work in the console: words in bold are its labels. */
const ABOUT_THE_CONSOLE = /getting-started|buying|stock-and-counting|building|selling-and-returns|scanning-and-labels|README/

describe('the guides', () => {
  const problems = (find: (text: string) => string[], names = /./) =>
    pages.filter(({ name }) => names.test(name)).flatMap(({ name, text }) => find(text).map((word) => `${name}: ${word}`))
  const withoutBlocks = (text: string) => text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')

  it('name only operations that the API has', () => {
    const normalize = (path: string) => path.replaceAll(/\{[^}]*\}/g, '{}')
    const paths = Object.keys(JSON.parse(readFileSync(OPENAPI, 'utf8')).paths).map(normalize)
    const exists = (path: string) =>
      paths.includes(normalize(path)) || (!path.includes('{') && paths.some((other) => other.startsWith(path)))
    const named = (text: string) => [...text.matchAll(/`(?:[A-Z]+ )?(\/api\/[a-z0-9_/{}-]*)/g)].map(([, path = '']) => path)
    assert.deepEqual(
      problems((text) => named(text).filter((path) => !exists(path) && path !== '/api/schema/')),
      [],
    )
  })

  it('name only labels that the console has', () => {
    const plain = (text: string) =>
      text
        .replaceAll(/\{[^}]*\}|…|(?<=“)[^”]*(?=”)/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim()
    const labels = Object.values(en).map(plain)
    // what begins a line, or an entry of a list, in bold is a heading
    const named = (text: string) =>
      [...withoutBlocks(text).matchAll(/(?<start>^ *(?:- |\d\. )?)?\*\*(?<label>[^*]+)\*\*/gm)].flatMap(({ groups }) =>
        groups?.start === undefined ? plain(groups?.label ?? '') : [],
      )
    assert.deepEqual(
      problems((text) => named(text).filter((label) => !labels.some((other) => other.startsWith(label))), ABOUT_THE_CONSOLE),
      [],
    )
  })
})
