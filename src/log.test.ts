import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { toLoggedPath } from './log.ts'
import { ROOT } from './paths.ts'

test('the request log contains no secret of a link', () => {
  assert.equal(toLoggedPath('/accounts/confirm-email/a-secret/?x=y'), '/accounts/confirm-email/.../')
  assert.equal(toLoggedPath('/api/email/login/?token=a-secret'), '/api/email/login/')
  assert.equal(toLoggedPath('/platform/set-password?uid=1&token=a-secret'), '/platform/set-password')
  assert.equal(toLoggedPath('/api/order/po/7/'), '/api/order/po/7/')
})

/** Writes one line of each kind to a log. */
const SCRIPT = `
import { createLog } from ${JSON.stringify(pathToFileURL(join(ROOT, 'src/log.ts')).href)}
const log = createLog({ logLevel: 'info', logFormat: process.env.LOG_FORMAT })
log.info('listening')
log.info({ request: 'an-id', method: 'GET', path: '/api/part/', status: 200, milliseconds: 1.5, account: 7 }, 'request')
log.error({ request: 'an-id', err: new Error('it broke \\u001b[31mred') }, 'a request failed')
log.debug('never seen')
`
const folder = mkdtempSync(join(tmpdir(), 'stockroom-log-'))
after(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'lines.mjs')
writeFileSync(file, SCRIPT)

type Environment = Record<string, string>
const createOptions = (variables: Environment) =>
  ({ env: { PATH: process.env.PATH, TERM: 'xterm', ...variables }, encoding: 'utf8', input: '' }) as const
const runPiped = (variables: Environment = {}) => spawnSync(process.execPath, [file], createOptions(variables)).stdout
/** Runs the script on a terminal of its own. */
const runOnTerminal = (variables: Environment = {}) =>
  spawnSync('script', ['-qec', `"${process.execPath}" "${file}"`, '/dev/null'], createOptions(variables))
const skip = runOnTerminal().status !== 0 && 'the terminal requires the command "script" of util-linux'

const READABLE =
  /^\[\d\d:\d\d:\d\d\] INFO: listening\r?\n\[\d\d:\d\d:\d\d\] INFO: GET \/api\/part\/ 200 in 1\.5 ms\r?\n\[\d\d:\d\d:\d\d\] ERROR: a request failed \(request an-id\).*Error: it broke/s
const COLOR = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`)

describe('the log', () => {
  it('is JSON without a terminal, and if LOG_FORMAT requires it', () => {
    const lines = runPiped()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      lines.map(({ level, msg }) => [level, msg]),
      [
        [30, 'listening'],
        [30, 'request'],
        [50, 'a request failed'],
      ],
    )
    assert.deepEqual([lines[1].path, lines[1].account, lines[2].err.type], ['/api/part/', 7, 'Error'])
  })

  it('is readable lines without colors if LOG_FORMAT requires them', () => {
    const text = runPiped({ LOG_FORMAT: 'text' })
    assert.match(text, READABLE)
    assert.doesNotMatch(text, COLOR)
    assert.doesNotMatch(text, /never seen|"account"|pid/)
    assert.match(runPiped({ LOG_FORMAT: 'text', FORCE_COLOR: '1' }), COLOR)
  })

  it('neutralizes terminal control characters in text from a client', () => {
    assert.doesNotMatch(runPiped({ LOG_FORMAT: 'text' }), COLOR)
  })

  it('is readable lines with colors on a terminal, unless colors are disabled', { skip }, () => {
    const { stdout } = runOnTerminal()
    assert.match(stdout, COLOR)
    assert.match(stdout.replaceAll(new RegExp(COLOR, 'g'), ''), READABLE)
    for (const variables of [{ NO_COLOR: '1' }, { FORCE_COLOR: '0' }, { TERM: 'dumb' }] as Environment[]) {
      const plain = runOnTerminal(variables).stdout
      assert.doesNotMatch(plain, COLOR)
      assert.match(plain, READABLE)
    }
    assert.equal(JSON.parse(runOnTerminal({ LOG_FORMAT: 'json' }).stdout.split('\n')[0] as string).msg, 'listening')
  })
})
