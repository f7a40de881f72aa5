import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { listPaths } from '../../check-clients-command.ts'
import { loadConfig } from '../../config.ts'
import { ROOT } from '../../paths.ts'
import { childEnvironment } from '../../testing/child-environment.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { createFilesFolder } from '../../testing/files.ts'
import { createWorkshopRecords, type FixtureRecord, writeDumpFile } from '../fixture.ts'
import { importDump } from '../import.ts'
import { type ClientVerdict, describeClient, judgeClients } from './clients.ts'
import type { InstanceReport } from './instance.ts'

const record = (model: string, pk: number, fields: Record<string, unknown>): FixtureRecord => ({ model, pk, fields })

const RECORDS = [
  ...createWorkshopRecords(),
  record('plugin.pluginconfig', 19, { key: 'inventree-ui-notification', name: 'Notes', active: false }),
  record('users.apitoken', 1, { user: ['ann'], name: 'mobile', key: 'inv-secret-key', revoked: false }),
  record('users.apitoken', 2, { user: ['ann'], name: '', key: 'inv-other-key', revoked: false }),
  record('users.apitoken', 3, { user: ['ann'], name: 'old', key: 'inv-old-key', revoked: true }),
  record('mfa.authenticator', 1, { user: ['ann'], type: 'totp', data: {} }),
  record('common.inventreesetting', 5, { key: 'LABEL_ENABLE', value: 'False' }),
  record('common.inventreesetting', 6, { key: 'SETTING_OF_TOMORROW', value: '7' }),
  record('report.labeltemplate', 50, {
    name: 'Odd',
    description: '',
    template: 'report/label/odd.html',
    model_type: 'part',
    enabled: true,
  }),
]

describe('stockroom check-clients', () => {
  const { dataDir, media } = createFilesFolder()
  let database: TestDatabase
  let dump: string

  before(async () => {
    database = await createTestDatabase(2)
    mkdirSync(join(media, 'report/label'), { recursive: true })
    writeFileSync(join(media, 'report/label/odd.html'), '<p>{{ part.name }}</p>\n{% nonsense %}\n')
    dump = writeDumpFile(JSON.stringify(RECORDS))
    await importDump(database.pool, dump, { skipInvalid: false })
  })

  after(() => database.drop())

  function run(...words: string[]): string {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'src/stockroom.js'), 'check-clients', ...words], {
      env: { ...childEnvironment, DATABASE_URL: database.url, DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
      encoding: 'utf8',
    })
    assert.equal(status, 0, stderr.slice(-2000))
    return stdout
  }

  it('names, as JSON, what changes', () => {
    const report = JSON.parse(run(dump, '--json')) as InstanceReport
    assert.deepEqual([report.announcedApi, report.responseForm], [196, 'specification'])
    assert.deepEqual(report.plugins, [
      {
        key: 'inventree-ui-notification',
        name: 'Notes',
        wasActive: false,
        instead: 'notifications are shown without a plugin',
      },
      { key: 'their-own', name: 'Their own', wasActive: true },
    ])
    assert.deepEqual(report.tokens, [
      { user: 'ann', name: 'mobile' },
      { user: 'ann', name: '' },
    ])
    assert.deepEqual(report.secondFactors, ['ann'])
    assert.deepEqual(
      report.templates.map(({ pk, name }) => [pk, name]),
      [[50, 'Odd']],
    )
    assert.match(String(report.templates[0]?.problems), /line 2/i)
    assert.deepEqual(
      report.settings.filter(({ key }) => /^(LABEL_ENABLE|SETTING_OF_TOMORROW)$/.test(key)),
      [
        { key: 'LABEL_ENABLE', value: 'False', reason: 'clients' },
        { key: 'SETTING_OF_TOMORROW', value: '7', reason: 'unknown' },
      ],
    )
    const connecting = report.clients.filter(({ connects }) => connects).map(({ client, versions }) => `${client} ${versions}`)
    assert.ok(connecting.includes('Python library inventree before 0.16') && connecting.includes('mobile app 0.24'))
    assert.ok(!connecting.includes('Python library inventree 0.16 and newer'))
  })

  it('describes it for people, without keys, and says what needs the dump', () => {
    const text = run(dump)
    for (const line of [
      /^Clients \(the service announces API 196\)\n {2}Set WIRE_FORM=inventree: /m,
      /^ {2}Python library inventree, 0\.16 and newer: does not connect, since it requires API 206 and 196 is announced$/m,
      /^ {2}their-own \(Their own\), which was active$/m,
      /^ {2}ann: 2 tokens \(mobile, without a name\)$/m,
      /^ {2}Second factors cannot be read from a dump: ann can sign in with the password alone\.$/m,
      /^ {2}label template 50 "Odd" \(report\/label\/odd\.html\): /m,
      /^ {2}LABEL_ENABLE is "False": only clients read it$/m,
      /^ {2}SETTING_OF_TOMORROW is "7": this service does not know it$/m,
    ])
      assert.match(text, line)
    assert.doesNotMatch(text, /inv-/)
    const alone = run()
    assert.match(alone, /^ {2}their-own \(Their own\)$/m)
    assert.equal(alone.match(/Name the dump to list them/g)?.length, 2)
  })
})

describe('the verdict on a client', () => {
  const paths = listPaths(loadConfig({ DATA_DIR: '/nowhere' }))
  const find = (verdicts: ClientVerdict[], name: string, versions: RegExp) =>
    verdicts.find(({ client, versions: of }) => client === name && versions.test(of)) ?? assert.fail(name)

  it('follows from the announced version: newer clients connect only to a newer one, and previous ones to each', () => {
    for (const [announced, connecting] of [
      [196, [true, false, true, false, true, false, true]],
      [206, [true, true, true, false, true, false, true]],
      [530, [true, true, true, true, true, true, true]],
    ] as const)
      assert.deepEqual(
        judgeClients(announced, paths)
          .slice(0, 7)
          .map(({ connects }) => connects),
        connecting,
      )
  })

  it('names paths that a client uses and that are missing, and those that it uses from a higher version on', () => {
    const app = find(judgeClients(196, paths), 'mobile app', /0\.24/)
    assert.deepEqual(app.missing, [])
    assert.equal(
      describeClient(app, 196),
      'mobile app, 0.24: connects, without /api/label/print/, /api/attachment/, /api/parameter/, /api/user/me/roles/',
    )
    const python = find(
      judgeClients(530, new Set(['/api/part/', '/api/stock/', '/api/order/po/'])),
      'Python library inventree',
      /newer/,
    )
    assert.deepEqual(python.unused, [])
    assert.deepEqual(python.missing, [
      '/api/attachment/',
      '/api/label/print/',
      '/api/parameter/',
      '/api/parameter/template/',
      '/api/metadata/{}/{}/',
    ])
  })

  it('finds the paths of API 196 that existing clients use', () => {
    for (const { missing } of judgeClients(196, paths).filter(({ versions }) => versions.startsWith('before')))
      assert.deepEqual(missing, [])
  })
})
