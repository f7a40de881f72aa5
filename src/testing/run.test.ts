import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { ROOT } from '../paths.ts'
import { childEnvironment } from './child-environment.ts'
import { testServer } from './database.ts'

const folder = mkdtempSync(join(tmpdir(), 'stockroom-run-'))
after(() => rmSync(folder, { recursive: true }))

/** Runs test files like `npm test`, on the server of this run. Returns the report and the exit status. */
function runFiles(files: Record<string, string>): { status: number | null; report: string } {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'src/testing/run.ts'), ...Object.keys(files).map((name) => join(folder, name))],
    { env: { ...childEnvironment, TEST_DATABASE_URL: process.env[testServer.urlVariable] }, encoding: 'utf8' },
  )
  return { status, report: `${stdout}${stderr}` }
}

const readCounts = (report: string) =>
  [...report.matchAll(/^ℹ (tests|pass|fail) (\d+)$/gm)].map(([, counter, number]) => `${counter} ${number}`)

describe('files that share a process', () => {
  it('run one after the other, with their own hooks, and are reported as if each had been run alone', () => {
    const file = (name: string) => `
      import { after, beforeEach, describe, it, test } from 'node:test'
      import { setTimeout as pause } from 'node:timers/promises'
      await pause(1)
      process.company = (process.company ?? 0) + 1
      console.log('${name} begins')
      beforeEach(() => console.log('${name} before each'))
      after(() => console.log('${name} ends'))
      describe('${name}', () => { it('waits', () => pause(10)) })
      test('${name} is number ' + process.company, () => {})
    `
    const { status, report } = runFiles({ 'a.test.mjs': file('a'), 'b.test.mjs': file('b') })
    assert.equal(status, 0, report)
    assert.deepEqual(
      report.match(/^[ab] (begins|ends|before each)$/gm),
      ['a', 'b'].flatMap((name) => ['begins', 'before each', 'before each', 'ends'].map((output) => `${name} ${output}`)),
    )
    assert.deepEqual(readCounts(report), ['tests 4', 'pass 4', 'fail 0'])
    assert.match(report, /^▶ a$/m)
    assert.deepEqual(report.match(/[ab] is number \d/g), ['a is number 1', 'b is number 2'])
  })

  it('report a failure with the name and position of its test, or with the name of the file for an error outside of tests', () => {
    const { status, report } = runFiles({
      'begins.test.mjs': `throw new Error('cannot begin')`,
      'ends.test.mjs': `import { after, it } from 'node:test'
        after(() => { throw new Error('cannot end') })
        it('is fine', () => {})`,
      'fails.test.mjs': `import { describe, it } from 'node:test'
        describe('one', () => { it('breaks', () => { throw new Error('for a reason') }) })`,
      'works.test.mjs': `import { it } from 'node:test'
        it('works all the same', () => {})`,
    })
    assert.equal(status, 1, report)
    assert.deepEqual(readCounts(report), ['tests 5', 'pass 2', 'fail 3'])
    assert.match(report, /✖ .*begins\.test\.mjs .*\n\s+Error: cannot begin/)
    assert.match(report, /✖ .*ends\.test\.mjs .*\n\s+Error: cannot end/)
    assert.match(report, /test at .*fails\.test\.mjs:2:\d+\n✖ breaks .*\n\s+Error: for a reason/)
  })
})
