import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { startSecondNode } from '../../../testing/second-node.ts'
import { createPluginPackage, type PackageFiles, packFiles, startNpmRegistry } from '../../../testing/servers/npm-registry.ts'
import { assertCallers, testService } from '../../../testing/service.ts'
import { waitUntil } from '../../../testing/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'stockroom-install-'))
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
const getDataPath = (name: string) => join(folder, name)

const registry = await startNpmRegistry()
const service = await testService({ DATA_DIR: getDataPath('data'), PLUGIN_INSTALL_SECONDS: '30' })
const { superuser } = service
const install = (body: object) => superuser.post('/api/plugins/install/', { confirm: true, ...body })
const registryOptions = { url: registry.url }

for (const version of ['1.0.0', '1.1.0', '2.0.0'])
  await registry.publish(await packFiles(createPluginPackage({ version })), version === '2.0.0' ? 'next' : 'latest')

/** State that a rejected request must not change: the stored rows, and the listed plugins. */
const readState = async () => ({
  packages: await service.rows('select key, name, version, digest, requirement from plugin_package order by key'),
  configs: await service.rows('select key, name, package_name, active from plugin_config order by key'),
  lease: await service.rows('select * from maintenance'),
  listedPlugins: (await superuser.get('/api/plugins/?builtin=false')).body.results,
})
const listLeftoverDirectories = () =>
  readdirSync(join(getDataPath('data'), 'plugin-packages')).filter((name) => !/^[0-9a-f]{40}$/.test(name))
const assertRejected = async (body: object, status = 400) => {
  const before = await readState()
  const response = await install(body)
  assert.equal(response.status, status, response.text)
  assert.deepEqual(await readState(), before)
  return response.body
}
const readInstalledVersion = async (key = 'sample') =>
  (await service.rows('select version from plugin_package where key = $1', [key]))[0]?.version
const readPlugin = async (key = 'sample') =>
  (await superuser.get('/api/plugins/?builtin=false')).body.results.find((one: { key: string }) => one.key === key)

function writePackage(name: string, files: PackageFiles): string {
  const directory = join(folder, 'packages', name)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  return directory
}
async function writeArchive(name: string, files: PackageFiles): Promise<string> {
  mkdirSync(join(folder, 'packages'), { recursive: true })
  const path = join(folder, 'packages', `${name}.tgz`)
  writeFileSync(path, await packFiles(files))
  return pathToFileURL(path).href
}

describe('POST /api/plugins/install/', () => {
  test('installs by name, version and tag, and any version after any other', async () => {
    const first = await install({ ...registryOptions, packagename: 'stockroom-sample', version: '' })
    assert.equal(first.status, 201, first.text)
    const { success, result, output, input, ...echo } = first.body
    assert.deepEqual(echo, { confirm: true, packagename: 'stockroom-sample', version: '', url: registry.url })
    assert.deepEqual(input, echo)
    assert.equal(success, 'Installed plugin successfully')
    assert.match(result, /^Installed plugin into plugin-packages\/[0-9a-f]{40}\/node_modules\/stockroom-sample$/)
    assert.match(output, /added 1 package/)
    assert.equal(await readInstalledVersion(), '1.1.0')
    const { pk, active, is_package, is_installed, is_builtin, package_name } = await readPlugin()
    assert.deepEqual(
      { active, is_package, is_installed, is_builtin, package_name },
      {
        active: false,
        is_package: true,
        is_installed: true,
        is_builtin: false,
        package_name: 'stockroom-sample',
      },
    )

    await superuser.patch(`/api/plugins/${pk}/activate/`, {})
    assert.equal((await readPlugin()).meta.version, '1.1.0')
    for (const [packageFields, version] of [
      [{ packagename: 'stockroom-sample@1.0.0' }, '1.0.0'],
      [{ packagename: 'stockroom-sample', version: 'next' }, '2.0.0'],
      [{ packagename: 'stockroom-sample==1.1.0' }, '1.1.0'],
    ] as const) {
      const response = await install({ ...registryOptions, ...packageFields })
      assert.equal(response.status, 201, response.text)
      assert.equal(response.body.packagename, packageFields.packagename)
      assert.equal(await readInstalledVersion(), version)
      const installedPlugin = await readPlugin()
      assert.deepEqual(
        [installedPlugin.pk, installedPlugin.active, installedPlugin.meta.version],
        [pk, true, version],
        'it is the same plugin, and runs',
      )
    }
    assert.deepEqual(listLeftoverDirectories(), [])
    assert.ok(readdirSync(join(getDataPath('data'), 'plugin-packages')).length <= 2, 'previous versions are left behind')
  })

  test('puts dependencies in the package’s own folder, and runs no scripts', async () => {
    await registry.publish(
      await packFiles({ 'package.json': '{"name":"needed-deep","version":"1.0.0"}', 'index.js': 'module.exports = 42' }),
    )
    await registry.publish(
      await packFiles({
        'package.json':
          '{"name":"needed","version":"1.0.0","dependencies":{"needed-deep":"1"},"scripts":{"postinstall":"touch ../../../ran"}}',
        'index.js': `module.exports = require('needed-deep')`,
      }),
    )
    const markerPath = join(folder, 'ran')
    const scripts = Object.fromEntries(
      ['preinstall', 'install', 'postinstall', 'prepare', 'prepack'].map((name) => [name, `touch ${markerPath}`]),
    )
    const head = { dependencies: { needed: '^1.0.0' }, scripts }
    const body = `import needed from 'needed'\nif (needed !== 42) throw new Error('it is ' + needed)`
    const files = createPluginPackage({ name: '@scope/needy', slug: 'needy', head, body })
    await registry.publish(await packFiles(files))
    const response = await install({ ...registryOptions, packagename: '@scope/needy' })
    assert.equal(response.status, 201, response.text)
    const { pk } = await readPlugin('needy')
    assert.equal((await superuser.patch(`/api/plugins/${pk}/activate/`, {})).status, 200)
    assert.ok(!readdirSync(folder).includes('ran'), 'a script was run')
    await superuser.patch(`/api/plugins/${pk}/activate/`, { active: false })
    await superuser.patch(`/api/plugins/${pk}/uninstall/`, {})
  })

  test('installs archives and folders', async () => {
    const archive = await writeArchive('filed', createPluginPackage({ name: 'filed', slug: 'filed' }))
    assert.equal((await install({ url: archive })).status, 201)
    assert.equal(await readInstalledVersion('filed'), '1.0.0')
    const directory = writePackage('filed', createPluginPackage({ name: 'filed', slug: 'filed', version: '1.2.0' }))
    assert.equal((await install({ url: pathToFileURL(directory).href, packagename: 'filed' })).status, 201)
    assert.equal(await readInstalledVersion('filed'), '1.2.0')
    assert.equal((await install({ url: `${registry.url}stockroom-sample/-/stockroom-sample-1.0.0.tgz` })).status, 201)
    assert.equal(await readInstalledVersion(), '1.0.0')
    assert.deepEqual(await assertRejected({ url: archive, packagename: 'other' }), {
      packagename: ['The name of the package there is filed.'],
    })
  })

  test('installs a branch of a repository, and runs none of its scripts', async () => {
    const markerPath = join(folder, 'ran-in-repository')
    const head = { scripts: { prepare: `touch ${markerPath}`, postinstall: `touch ${markerPath}` } }
    const directory = writePackage('repository', createPluginPackage({ name: 'repository', slug: 'repository', head }))
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=one', '-c', 'user.email=one@works.example', ...args], {
        cwd: directory,
        stdio: 'ignore',
      })
    git('init', '--initial-branch=main')
    git('add', '.')
    git('commit', '--message=first')
    git('branch', 'released')
    const url = `git+${pathToFileURL(directory).href}#released`
    const response = await install({ url })
    assert.equal(response.status, 201, response.text)
    assert.deepEqual(await service.rows(`select requirement from plugin_package where key = 'repository'`), [
      { requirement: url },
    ])
    assert.ok(!existsSync(markerPath), 'a script was run')
    assert.match(JSON.stringify(await assertRejected({ url: url.replace('released', 'absent') })), /absent/)
  })

  test('uses the registry that npm is configured with if there is no URL', async () => {
    const { npm_config_registry } = process.env
    process.env.npm_config_registry = registry.url
    try {
      const response = await install({ packagename: 'stockroom-sample', version: '1.0.0' })
      assert.equal(response.status, 201, response.text)
      assert.equal(await readInstalledVersion(), '1.0.0')
    } finally {
      if (npm_config_registry === undefined) delete process.env.npm_config_registry
      else process.env.npm_config_registry = npm_config_registry
    }
  })

  test('requires npm only without a URL, and git only for repositories', async () => {
    const { npm_execpath, PATH } = process.env
    delete process.env.npm_execpath
    process.env.PATH = folder
    try {
      assert.deepEqual((await assertRejected({ packagename: 'stockroom-sample' })).non_field_errors, [
        'npm is not available on this machine: neither npm_execpath nor PATH has it.',
      ])
      assert.deepEqual((await assertRejected({ url: `git+${pathToFileURL(folder).href}` })).non_field_errors, [
        'git is not available on this machine: PATH does not have it.',
      ])
      const response = await install({ ...registryOptions, packagename: 'stockroom-sample', version: '1.0.0' })
      assert.equal(response.status, 201, response.text)
    } finally {
      process.env.PATH = PATH
      if (npm_execpath !== undefined) process.env.npm_execpath = npm_execpath
    }
  })

  test('uses credentials, and neither stores nor shows them', async () => {
    await registry.publish(await packFiles(createPluginPackage({ name: '@closed/secret', slug: 'closed' })))
    const url = new URL(registry.url)
    url.username = registry.account.username
    url.password = registry.account.password
    const hidden = /pass( |%20)of|buyer/
    assert.match(JSON.stringify(await assertRejected({ ...registryOptions, packagename: '@closed/secret' })), /401/)
    const response = await install({ url: url.href, packagename: '@closed/secret' })
    assert.equal(response.status, 201, response.text)
    assert.equal(response.body.url, url.href, 'the field as it was sent')
    assert.doesNotMatch(JSON.stringify([response.body.input, response.body.output, response.body.result]), hidden)
    assert.doesNotMatch(
      JSON.stringify(await service.rows(`select requirement, encode(tarball, 'escape') from plugin_package`)),
      hidden,
    )
    assert.doesNotMatch(JSON.stringify(await assertRejected({ url: url.href, packagename: '@closed/absent' })), hidden)
    assert.doesNotMatch(
      JSON.stringify(await assertRejected({ url: `${url.href}absent/-/absent-1.0.0.tgz?key=pass%20of` })),
      hidden,
    )
  })

  test('starts a new version of a running plugin before replacing it, with its settings, and without requests at startup', async () => {
    const writeVersion = (number: string) => {
      const files = createPluginPackage({ name: 'starts', slug: 'starts', version: number })
      const source = files['index.js'] as string
      const members = `name: 'Sample',
        settings: { TOKEN: { type: 'string', default: '', name: 'Token', description: 'What lets it in.' } },
        async start({ settings, read }) {
          if (await settings.get('TOKEN') !== 'right') throw new Error('it needs a token')
          const outcome = await read('/api/').then(() => 'no error', (error) => error.message)
          if (outcome !== 'a plugin cannot send requests while it starts') throw new Error(outcome)
        }`
      return writePackage(`starts-${number}`, { ...files, 'index.js': source.replace("name: 'Sample'", members) })
    }
    assert.equal((await install({ url: pathToFileURL(writeVersion('1.0.0')).href })).status, 201)
    const setToken = (value: string) => superuser.patch('/api/plugins/settings/starts/TOKEN/', { value })
    assert.equal((await setToken('right')).status, 200)
    assert.equal((await superuser.patch('/api/plugins/activate/', { plugin: 'starts' })).status, 200)
    const next = pathToFileURL(writeVersion('1.1.0')).href
    const response = await install({ url: next })
    assert.equal(response.status, 201, response.text)
    assert.deepEqual([(await readPlugin('starts')).active, (await readPlugin('starts')).meta.version], [true, '1.1.0'])
    await setToken('wrong')
    const { non_field_errors } = await assertRejected({ url: pathToFileURL(writeVersion('1.2.0')).href })
    assert.match(non_field_errors.join(' '), /it needs a token/)
    await superuser.patch('/api/plugins/activate/', { plugin: 'starts', active: false })
  })

  test('rejects a package that is not a loadable plugin, and keeps the running one', async () => {
    const getRejectionMessage = async (files: PackageFiles) =>
      (await assertRejected({ url: pathToFileURL(writePackage(`bad-${Math.random()}`, files)).href })).non_field_errors.join(' ')
    const head = '{"name":"bad","version":"1.0.0","type":"module"}'
    assert.match(await getRejectionMessage({ 'package.json': head, 'index.js': '' }), /is not a plugin/)
    assert.match(await getRejectionMessage({ 'package.json': '{' }), /no valid package.json/)
    const manifest = '{"name":"bad","version":"1.0.0","type":"module","keywords":["stockroom-plugin"]}'
    assert.match(await getRejectionMessage({ 'package.json': manifest }), /index.js, is missing/)
    assert.match(
      await getRejectionMessage({ 'package.json': manifest, 'index.js': 'throw new Error("at import")' }),
      /cannot be loaded.*at import/,
    )
    assert.match(await getRejectionMessage({ 'package.json': manifest, 'index.js': 'process.exit(1)' }), /cannot be loaded/)
    assert.match(
      await getRejectionMessage(createPluginPackage({ name: 'bad', slug: 'inventreelabel' })),
      /there is another plugin inventreelabel/,
    )
    assert.match(
      await getRejectionMessage(createPluginPackage({ name: 'bad', slug: 'sample' })),
      /The plugin sample already comes from the package stockroom-sample/,
    )
    const html = createPluginPackage({ name: 'bad', slug: 'bad' })['index.js']?.replace(
      'Sample',
      '<img src=x onerror=alert(1)>',
    ) as string
    assert.match(
      await getRejectionMessage({ 'package.json': manifest, 'index.js': html }),
      /cannot be loaded: its name contains HTML/,
    )
    const versioned = manifest.replace('1.0.0', '<b>')
    assert.match(await getRejectionMessage({ 'package.json': versioned, 'index.js': '' }), /no version of the form/)
    // the sample is running: its new version must start
    const newVersionFiles = createPluginPackage({ version: '3.0.0' })
    const failingSource = newVersionFiles['index.js']?.replace(
      "name: 'Sample'",
      "name: 'Sample', start() { throw new Error('at start') }",
    ) as string
    assert.match(await getRejectionMessage({ ...newVersionFiles, 'index.js': failingSource }), /at start/)
    assert.deepEqual([(await readPlugin()).active, (await readPlugin()).meta.version], [true, '1.0.0'])
    assert.deepEqual(listLeftoverDirectories(), [])
  })

  test('rejects a package that cannot be fetched, with the reason', async () => {
    assert.match((await assertRejected({ ...registryOptions, packagename: 'absent' })).non_field_errors.join(' '), /404/)
    assert.match(
      (await assertRejected({ ...registryOptions, packagename: 'stockroom-sample', version: '9.9.9' })).non_field_errors.join(
        ' ',
      ),
      /9\.9\.9/,
    )
    assert.match(
      (await assertRejected({ url: 'http://127.0.0.1:1/', packagename: 'absent' })).non_field_errors.join(' '),
      /ECONNREFUSED/,
    )
    assert.match(
      (await assertRejected({ url: pathToFileURL(join(folder, 'nothing')).href })).non_field_errors.join(' '),
      /no archive or folder at/,
    )
  })

  test('rejects invalid fields', async () => {
    const expectedErrors = ['Either packagename of URL must be provided']
    assert.deepEqual(await assertRejected({ confirm: undefined, packagename: 'a' }), { confirm: ['This field is required.'] })
    assert.deepEqual(await assertRejected({ confirm: false }), { confirm: ['Installation not confirmed'] })
    assert.deepEqual(await assertRejected({}), { packagename: expectedErrors, url: expectedErrors })
    assert.deepEqual(Object.keys(await assertRejected({ packagename: '--registry=http://127.0.0.1' })), ['packagename'])
    assert.deepEqual(Object.keys(await assertRejected({ packagename: 'a', url: 'ftp://x.example/a.tgz' })), ['url'])
    assert.deepEqual(Object.keys(await assertRejected({ packagename: 'a', version: '../x' })), ['version'])
  })

  test('requires a superuser', () =>
    assertCallers(service, (client) => client.post('/api/plugins/install/', { confirm: false }), ['superuser'], readState))

  test('rejects requests when PLUGINS_INSTALL_ENABLED is false', async () => {
    const disabledService = await testService({ PLUGINS_INSTALL_ENABLED: 'false' })
    const { status, body } = await disabledService.superuser.post('/api/plugins/install/', { confirm: true, packagename: 'a' })
    assert.deepEqual([status, body], [400, { non_field_errors: ['Plugin installation is disabled'] }])
    assert.equal((await disabledService.anonymous.get('/api/')).body.plugins_install_disabled, true)
  })

  test('makes other requests, such as a second installation, wait, and times out for a registry that never responds', async () => {
    const unresponsiveServer = createServer(() => {}).listen(0, '127.0.0.1')
    await once(unresponsiveServer, 'listening')
    const shortTimeoutService = await testService({ DATA_DIR: getDataPath('hurried'), PLUGIN_INSTALL_SECONDS: '3' })
    const url = `http://127.0.0.1:${(unresponsiveServer.address() as AddressInfo).port}/`
    const firstInstallation = shortTimeoutService.superuser.post('/api/plugins/install/', {
      confirm: true,
      url,
      packagename: 'late',
    })
    await waitUntil(async () => (await shortTimeoutService.anonymous.get('/api/')).status === 503, 'requests do not wait')
    const second = await shortTimeoutService.superuser.post('/api/plugins/install/', { confirm: true, url, packagename: 'late' })
    assert.deepEqual([second.status, second.headers['retry-after']], [503, '2'])
    const { status, body } = await firstInstallation
    assert.equal(status, 400)
    assert.match(body.non_field_errors.at(-1), /not fetched within 3 seconds/)
    assert.equal((await shortTimeoutService.anonymous.get('/api/')).status, 200)
    assert.deepEqual(await shortTimeoutService.rows('select * from plugin_package'), [])
    unresponsiveServer.closeAllConnections()
    unresponsiveServer.close()
  })

  test('installs and runs the stored package on every node', async () => {
    const { config } = service.app.routes.services
    const node = await startSecondNode(service, undefined, { config: { ...config, dataDir: getDataPath('other') } })
    const readVersionOnNode = async () => {
      const credentials = Buffer.from('superuser:a password of tests').toString('base64')
      const { body } = await node.inject({
        url: '/api/plugins/?search=sample',
        headers: { authorization: `Basic ${credentials}` },
      })
      return JSON.parse(body).results?.[0]?.meta.version
    }
    assert.equal(await readVersionOnNode(), '1.0.0')
    await install({ ...registryOptions, packagename: 'stockroom-sample@2.0.0' })
    await waitUntil(async () => (await readVersionOnNode()) === '2.0.0', 'the other node does not install the new version')
    // a node that cannot install the package, here for a wrong digest, reports that
    await service.rows(`update plugin_package set digest = repeat('0', 128) where key = 'sample'`)
    await waitUntil(async () => {
      const { registry_errors } = (await superuser.get('/api/plugins/status/')).body
      return registry_errors.some(
        ({ name, message }: any) => name === 'sample' && /cannot be installed on this node/.test(message),
      )
    }, 'the error is not reported')
    await install({ ...registryOptions, packagename: 'stockroom-sample@2.0.0' })
    assert.equal((await readPlugin()).meta.version, '2.0.0')
  })
})

for (const method of ['PUT', 'PATCH'])
  describe(`${method} /api/plugins/{id}/uninstall/`, () => {
    const uninstall = (pk: number, body: object = {}) => superuser.send(method, `/api/plugins/${pk}/uninstall/`, body)

    test('uninstalls a package, with or without its settings', async () => {
      await install({
        url: pathToFileURL(writePackage(`away-${method}`, createPluginPackage({ name: 'away', slug: 'away' }))).href,
      })
      const { pk } = await readPlugin('away')
      const uninstallResponse = await uninstall(pk, { delete_config: false })
      assert.deepEqual([uninstallResponse.status, uninstallResponse.body], [200, { delete_config: false }])
      assert.deepEqual([(await readPlugin('away')).pk, (await readPlugin('away')).is_installed], [pk, false])
      assert.deepEqual((await uninstall(pk)).body, { non_field_errors: ['Plugin was not found in registry'] })
      await install({ url: pathToFileURL(join(folder, 'packages', `away-${method}`)).href })
      assert.equal((await readPlugin('away')).pk, pk, 'its settings are kept')
      assert.deepEqual((await uninstall(pk)).body, { delete_config: true })
      assert.equal(await readPlugin('away'), undefined)
      assert.equal((await uninstall(pk)).status, 404)
    })

    test('rejects an active plugin, one without a package, callers who are not superusers, and every request when disabled', async () => {
      const { pk } = await readPlugin()
      const before = await readState()
      assert.deepEqual((await uninstall(pk)).body, {
        non_field_errors: ['Plugin cannot be uninstalled as it is currently active'],
      })
      const [label] = await service.rows(`select pk from plugin_config where key = 'inventreelabelsheet'`)
      await superuser.patch(`/api/plugins/${label.pk}/activate/`, { active: false })
      assert.deepEqual((await uninstall(label.pk)).body, { non_field_errors: ['Plugin is not a packaged plugin'] })
      await superuser.patch(`/api/plugins/${label.pk}/activate/`, {})
      await assertCallers(service, (client) => client.send(method, `/api/plugins/${pk}/uninstall/`, {}), ['superuser'])
      assert.deepEqual(await readState(), before)
    })
  })
