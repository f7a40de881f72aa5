import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, afterEach, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { Header } from 'tar'
import { createPluginPackage, type PackageFiles, packFiles, startNpmRegistry } from '../../../testing/servers/npm-registry.ts'
import { testService } from '../../../testing/service.ts'

// Packages whose authors try to run code, or to read the disk, before the plugin is enabled.

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stockroom-hostile-')))
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))

/** File that every attack creates if it runs. */
const marker = join(folder, 'ran')
/** A folder of this machine that no package may read. */
const privateFolder = join(folder, 'private')
const secret = 'DATABASE_URL=postgres://a-secret'
mkdirSync(privateFolder)
writeFileSync(join(privateFolder, 'package.json'), '{"name":"private","version":"1.0.0","main":"index.js"}')
writeFileSync(join(privateFolder, 'index.js'), '')
writeFileSync(join(privateFolder, '.env'), secret)

/** URLs requested from a server that no package may cause requests to. */
const requestedUrls: string[] = []
const externalServer = createServer((request, response) => {
  requestedUrls.push(request.url as string)
  response.writeHead(404).end()
}).listen(0, '127.0.0.1')
await once(externalServer, 'listening')
after(() => externalServer.close())
const externalUrl = `http://127.0.0.1:${(externalServer.address() as AddressInfo).port}`

const registry = await startNpmRegistry()
const service = await testService({ DATA_DIR: join(folder, 'data'), PLUGIN_INSTALL_SECONDS: '60' })
const install = (body: object) => service.superuser.post('/api/plugins/install/', { confirm: true, ...body })
const installFromRegistry = (packagename: string) => install({ url: registry.url, packagename })

afterEach(() => {
  assert.ok(!existsSync(marker), 'code of a package was run')
  assert.deepEqual(requestedUrls, [], 'a package caused a request to another server')
})

function writeFiles(directory: string, files: PackageFiles): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
}

/** Commits all files in a folder. @returns its URL, as npm and the service accept it */
function commitFiles(directory: string): string {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=one', '-c', 'user.email=one@works.example', ...args], {
      cwd: directory,
      stdio: 'ignore',
    })
  git('init', '--initial-branch=main')
  git('add', '--force', '.')
  git('commit', '--message=first')
  git('tag', 'v1.0.0')
  return `git+${pathToFileURL(directory).href}`
}

const attackCommand = `touch ${marker}`
const scripts = Object.fromEntries(
  ['preinstall', 'install', 'postinstall', 'prepare', 'prepack', 'prepublish', 'preprepare', 'postprepare'].map((name) => [
    name,
    attackCommand,
  ]),
)
/** Files of a repository that make npm or git run code. */
const trapFiles: PackageFiles = {
  '.npmrc': `git=${join(folder, 'repositories/trap/git.sh')}\n`,
  'git.sh': `#!/bin/sh\n${attackCommand}\n`,
  'run.js': `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')`,
  '.gitattributes': '* filter=run diff=run merge=run export-subst\n',
  '.gitmodules': `[submodule "inner"]\n\tpath = inner\n\turl = ${externalUrl}/inner.git\n\tupdate = !${attackCommand}\n`,
  '.lfsconfig': `[lfs]\n\turl = ${externalUrl}/lfs\n`,
  'binding.gyp': `{"targets":[{"target_name":"a","actions":[{"action":["touch","${marker}"]}]}]}`,
}

const trapRepository = join(folder, 'repositories', 'trap')
writeFiles(trapRepository, {
  ...trapFiles,
  'package.json': JSON.stringify({
    name: 'trap',
    version: '1.0.0',
    scripts,
    // npm installs this before it runs `prepare`, with the git of .npmrc
    devDependencies: { other: `git+${pathToFileURL(join(folder, 'repositories', 'absent')).href}` },
  }),
  'index.js': '',
})
chmodSync(join(trapRepository, 'git.sh'), 0o755)
const trapUrl = commitFiles(trapRepository)

/** Forbidden forms of a dependency, as written in a package.json. */
const forbiddenSpecs: Readonly<Record<string, string>> = {
  'a repository of this disk': trapUrl,
  'a repository at a tag': `${trapUrl}#v1.0.0`,
  'a repository over http': `git+${externalUrl}/trap.git`,
  'a repository over ssh': 'git+ssh://git@127.0.0.1/trap.git',
  'a repository over git': `git://${externalUrl.slice(7)}/trap.git`,
  'a repository in the form of scp': 'git@127.0.0.1:trap.git',
  'a repository of a known host': 'github:someone/trap',
  'a repository in short': 'someone/trap',
  'a gist': 'gist:11081aaa281',
  'an archive over http': `${externalUrl}/trap.tgz`,
  'an archive over http, with blanks': `  ${externalUrl}/trap.tgz  `,
  'a folder': `file:${privateFolder}`,
  'a folder by its URL': pathToFileURL(privateFolder).href,
  'a folder by its path': privateFolder,
  'a folder by a relative path': '../../../../private',
  'a folder by a relative path with a dot': './..',
  'a folder of the account': '~/private',
  'a file': 'trap.tgz',
  'a link': `link:${privateFolder}`,
  'a workspace': 'workspace:^1.0.0',
  'a portal': `portal:${privateFolder}`,
  'an alias of a repository': `npm:trap@${trapUrl}`,
  'an alias of a repository in short': 'npm:trap@someone/trap',
  'an alias of a folder': `npm:trap@file:${privateFolder}`,
  'an alias of an alias': 'npm:trap@npm:trap@1.0.0',
  'an alias with the name of a folder': 'npm:../private@1.0.0',
}

let publishedCount = 0
/** Publishes a package that depends on the package with these fields, through that many levels. @returns its name */
async function publishWithDependents(depth: number, fields: object, files: PackageFiles = {}): Promise<string> {
  let head: object = fields
  for (let step = depth; step > 0; step--) {
    const name = `hostile-${++publishedCount}`
    await registry.publish(
      await packFiles({
        'package.json': JSON.stringify({ name, version: '1.0.0', ...head }),
        'index.js': '',
        ...(step === depth && files),
      }),
    )
    head = { dependencies: { [name]: '^1.0.0' } }
  }
  const name = `hostile-${++publishedCount}`
  await registry.publish(await packFiles({ ...createPluginPackage({ name, slug: name, head }), ...(depth === 0 && files) }))
  return name
}

async function assertRejected(name: string, text: RegExp): Promise<void> {
  const before = await service.rows('select key, digest from plugin_package order by key')
  const installResponse = await installFromRegistry(name)
  assert.equal(installResponse.status, 400, installResponse.text)
  assert.match(installResponse.body.non_field_errors.join(' '), text)
  assert.deepEqual(await service.rows('select key, digest from plugin_package order by key'), before)
  const packages = join(folder, 'data/plugin-packages')
  assert.ok(readdirSync(packages).every((entry) => /^[0-9a-f]{40}$/.test(entry)))
}

const notRegistryPackage = /depends on something other than a registry package|must be names with/

describe('POST /api/plugins/install/ of a hostile package', () => {
  for (const depth of [0, 1, 2])
    it(`rejects every dependency that is not a registry package, ${depth} levels down`, async () => {
      for (const [label, spec] of Object.entries(forbiddenSpecs))
        await assertRejected(await publishWithDependents(depth, { dependencies: { trap: spec } }), notRegistryPackage).catch(
          (error) => {
            throw new Error(`${label}: ${error.message}`)
          },
        )
    })

  const gitDependency = { trap: trapUrl }
  const fields: Readonly<Record<string, object>> = {
    'an optional dependency': { optionalDependencies: gitDependency },
    'an optional dependency that hides a registry package': {
      dependencies: { trap: '^1.0.0' },
      optionalDependencies: gitDependency,
    },
    'a peer dependency': {
      peerDependencies: { '@stockroom-inventory/plugin': '*', ...gitDependency },
      keywords: ['stockroom-plugin'],
    },
    'an override': { overrides: { other: trapUrl } },
    'an override of an override': { overrides: { other: { '.': '1.0.0', trap: { trap: trapUrl } } } },
    'an override by a folder': { overrides: { other: `file:${privateFolder}` } },
    'a bundled package that no range names': { bundleDependencies: ['trap'] },
    'a bundled package in the other spelling': { bundledDependencies: ['../../private'] },
    'a workspace outside of the package': { workspaces: ['../../private'] },
    'a workspace by its path': { workspaces: { packages: [privateFolder] } },
    'dependencies as a list': { dependencies: [trapUrl] },
    'dependencies as a string': { dependencies: trapUrl },
    'a range that is not a string': { dependencies: { trap: { url: trapUrl } } },
    'a name that is a path': { dependencies: { '../../../../trap': '1.0.0' } },
    'a name that is the folder of packages': { dependencies: { node_modules: '1.0.0' } },
    'a name of a scope that is a path': { dependencies: { '@../trap': '1.0.0' } },
  }
  for (const [label, head] of Object.entries(fields))
    it(`rejects ${label}`, async () => {
      for (const depth of [0, 2]) await assertRejected(await publishWithDependents(depth, head), notRegistryPackage)
    })

  it('rejects a bundled package that depends on a repository, and installs bundled dependencies from the registry', async () => {
    await registry.publish(
      await packFiles({ 'package.json': '{"name":"bundled","version":"1.0.0"}', 'index.js': 'module.exports = "registry"' }),
    )
    const head = { dependencies: { bundled: '1.0.0' }, bundleDependencies: ['bundled'] }
    const bundle = (dependencies: object) => ({
      'node_modules/bundled/package.json': JSON.stringify({ name: 'bundled', version: '1.0.0', dependencies, scripts }),
      'node_modules/bundled/index.js': 'module.exports = "bundle"',
    })
    for (const depth of [0, 1])
      await assertRejected(await publishWithDependents(depth, head, bundle({ trap: trapUrl })), notRegistryPackage)
    const body = `import from from 'bundled'\nif (from !== 'registry') throw new Error(from)`
    const name = 'with-bundle'
    await registry.publish(await packFiles({ ...createPluginPackage({ name, slug: name, head, body }), ...bundle({}) }))
    const installResponse = await installFromRegistry(name)
    assert.equal(installResponse.status, 201, installResponse.text)
  })

  it('rejects a workspace member that depends on a repository', async () => {
    const files = { 'inner/package.json': JSON.stringify({ name: 'inner', version: '1.0.0', dependencies: { trap: trapUrl } }) }
    for (const depth of [0, 1])
      await assertRejected(await publishWithDependents(depth, { workspaces: ['*'] }, files), notRegistryPackage)
  })

  it('rejects a shrinkwrap, in both of its forms, that names anything but registry packages', async () => {
    const createLocks = (resolved: string) => [
      { lockfileVersion: 3, packages: { '': {}, 'node_modules/needed': { version: '1.0.0', resolved } } },
      { lockfileVersion: 1, dependencies: { needed: { version: resolved } } },
      {
        lockfileVersion: 1,
        dependencies: { needed: { version: '1.0.0', dependencies: { inner: { version: '1.0.0', resolved } } } },
      },
    ]
    for (const resolved of [
      trapUrl,
      `file:${privateFolder}`,
      privateFolder,
      `${externalUrl}/trap.tgz`,
      'git+ssh://git@127.0.0.1/a.git',
    ])
      for (const lock of createLocks(resolved))
        for (const depth of [0, 1]) {
          const files = { 'npm-shrinkwrap.json': JSON.stringify(lock) }
          await assertRejected(await publishWithDependents(depth, { dependencies: {} }, files), notRegistryPackage)
        }
    const linked = { lockfileVersion: 3, packages: { 'node_modules/needed': { resolved: '../../private', link: true } } }
    await assertRejected(
      await publishWithDependents(1, {}, { 'npm-shrinkwrap.json': JSON.stringify(linked) }),
      notRegistryPackage,
    )
    await assertRejected(await publishWithDependents(1, {}, { 'npm-shrinkwrap.json': '{' }), notRegistryPackage)
  })

  it('trusts the package.json in the archive, and not the description of the registry', async () => {
    const name = await publishWithDependents(0, {})
    const hidden = await packFiles({ 'package.json': JSON.stringify({ name: 'hidden', version: '1.0.0' }) })
    await registry.publish(hidden)
    // a registry that omits the dependencies in the archive from its description
    const archives: Record<string, Buffer> = {
      liar: await packFiles(createPluginPackage({ name: 'liar', slug: 'liar', head: { dependencies: { trap: trapUrl } } })),
    }
    const liar = createServer((request, response) => {
      if (request.url?.endsWith('.tgz')) return response.end(archives.liar)
      const origin = `http://${request.headers.host}`
      const tarball = request.url === '/liar' ? `${origin}/liar.tgz` : request.url === '/leads' ? trapUrl : privateFolder
      response.end(
        JSON.stringify({
          name,
          'dist-tags': { latest: '1.0.0' },
          versions: { '1.0.0': { name, version: '1.0.0', dist: { tarball } } },
        }),
      )
    }).listen(0, '127.0.0.1')
    await once(liar, 'listening')
    const url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}/`
    try {
      const installResponse = await install({ url, packagename: 'liar' })
      assert.equal(installResponse.status, 400, installResponse.text)
      assert.match(installResponse.text, notRegistryPackage)
      for (const packagename of ['leads', 'takes']) {
        const response = await install({ url, packagename })
        assert.equal(response.status, 400, response.text)
        assert.match(response.text, /has no version/)
      }
    } finally {
      liar.close()
    }
  })

  it('installs a repository without running any of its code, and only the files of the commit', async () => {
    const directory = join(folder, 'repositories', 'root')
    const head = { scripts, devDependencies: { trap: trapUrl, private: `file:${privateFolder}` } }
    writeFiles(directory, {
      ...trapFiles,
      ...createPluginPackage({ name: 'root', slug: 'root', head }),
      'node_modules/left/index.js': '',
    })
    writeFiles(directory, { 'lib/text.txt': '$Format:%H$ $Id$\n', '.env': secret })
    chmodSync(join(directory, 'git.sh'), 0o755)
    symlinkSync(privateFolder, join(directory, 'link'))
    const url = commitFiles(directory)
    // the configuration and hooks of the repository itself are ignored
    for (const line of [
      `core.fsmonitor=${attackCommand}`,
      `filter.run.smudge=${attackCommand}`,
      `uploadpack.packObjectsHook=${attackCommand}`,
      `core.sshCommand=${attackCommand}`,
    ]) {
      const [key, value] = line.split('=') as [string, string]
      execFileSync('git', ['config', key, value], { cwd: directory })
    }
    for (const hook of ['post-checkout', 'post-upload-pack', 'reference-transaction', 'post-index-change'])
      writeFileSync(join(directory, '.git/hooks', hook), `#!/bin/sh\n${attackCommand}\n`, { mode: 0o755 })
    for (const revision of ['', '#main', '#v1.0.0', '#semver:^1.0.0']) {
      const installResponse = await install({ url: url + revision })
      assert.equal(installResponse.status, 201, installResponse.text)
      assert.match(installResponse.body.output, /^commit [0-9a-f]{40}\nadded 1 package: root 1\.0\.0$/)
      const installed = join(folder, 'data', installResponse.body.result.replace('Installed plugin into ', ''))
      assert.deepEqual(readdirSync(installed, { recursive: true }).sort(), [
        'binding.gyp',
        'git.sh',
        'index.js',
        'lib',
        'lib/text.txt',
        'package.json',
        'run.js',
      ])
      assert.equal(execFileSync('cat', [join(installed, 'lib/text.txt')], { encoding: 'utf8' }), '$Format:%H$ $Id$\n')
    }
    const installResponse = await install({ url: `${url}#semver:^2.0.0` })
    assert.match(installResponse.text, /no tag that is a version in \^2\.0\.0/)
  })

  it('rejects a repository that depends on another one, as an archive, a folder and a repository', async () => {
    const files = createPluginPackage({ name: 'needing', slug: 'needing', head: { dependencies: { trap: trapUrl } } })
    const directory = join(folder, 'repositories', 'needing')
    writeFiles(directory, files)
    const archive = join(folder, 'needing.tgz')
    writeFileSync(archive, await packFiles(files))
    for (const url of [commitFiles(directory), pathToFileURL(directory).href, pathToFileURL(archive).href]) {
      const installResponse = await install({ url })
      assert.equal(installResponse.status, 400, installResponse.text)
      assert.match(installResponse.text, notRegistryPackage)
    }
  })

  it('omits hidden files and links of a folder', async () => {
    const directory = join(folder, 'plain')
    writeFiles(directory, {
      ...createPluginPackage({ name: 'plain', slug: 'plain' }),
      '.env': secret,
      'lib/.env': secret,
      'node_modules/a/.env': secret,
    })
    symlinkSync(privateFolder, join(directory, 'link'))
    symlinkSync(join(privateFolder, '.env'), join(directory, 'env'))
    const installResponse = await install({ url: pathToFileURL(directory).href })
    assert.equal(installResponse.status, 201, installResponse.text)
    const installed = join(folder, 'data', installResponse.body.result.replace('Installed plugin into ', ''))
    assert.deepEqual(readdirSync(installed, { recursive: true }).sort(), ['index.js', 'lib', 'package.json'])
  })

  it('unpacks nothing outside the folder of the package, and no links', async () => {
    const files = createPluginPackage({ name: 'paths', slug: 'paths' })
    const createEntry = (path: string, options: object, body = '') => {
      const header = new Header({ path, mode: 0o4777, size: body.length, type: 'File', ...options })
      const block = Buffer.alloc(512)
      header.encode(block, 0)
      return Buffer.concat([block, Buffer.from(body), Buffer.alloc((512 - (body.length % 512)) % 512)])
    }
    const plain = Object.entries(files).map(([path, text]) => createEntry(`package/${path}`, {}, text))
    const createArchive = (...entries: Buffer[]) => gzipSync(Buffer.concat([...plain, ...entries, Buffer.alloc(1024)]))
    const outside = join(folder, 'outside')
    const path = join(folder, 'paths.tgz')
    const url = pathToFileURL(path).href
    writeFileSync(
      path,
      createArchive(
        createEntry('package/../../../../../outside', {}, 'x'),
        createEntry(`package//${outside}`, {}, 'x'),
        createEntry(outside, {}, 'x'),
        createEntry('package/link', { type: 'SymbolicLink', linkpath: folder }),
        createEntry('package/link/outside', {}, 'x'),
        createEntry('package/hard', { type: 'Link', linkpath: join(privateFolder, '.env') }),
        createEntry('package/fifo', { type: 'FIFO' }),
      ),
    )
    const installResponse = await install({ url })
    assert.equal(installResponse.status, 201, installResponse.text)
    assert.ok(!existsSync(outside))
    const installed = join(folder, 'data', installResponse.body.result.replace('Installed plugin into ', ''))
    const extracted = readdirSync(installed, { recursive: true }).map(String)
    assert.ok(!extracted.includes('hard') && !extracted.includes('fifo'), extracted.join())

    writeFileSync(path, gzipSync('no archive'))
    assert.equal((await install({ url })).status, 400)
  })

  it('rejects a package with too many dependencies', async () => {
    const manyDependencies = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`absent-${n}`, '1']))
    await assertRejected(
      await publishWithDependents(0, { dependencies: manyDependencies }),
      /requires more than 1000 other packages/,
    )
  })

  it('terminates for packages that depend on each other in ever new versions', async () => {
    const publishVersion = async (name: string, number: string, dependencies: object) =>
      await registry.publish(await packFiles({ 'package.json': JSON.stringify({ name, version: number, dependencies }) }))
    await publishVersion('ever', '1.0.0', { never: '1.0.0' })
    await publishVersion('never', '1.0.0', { ever: '2.0.0' })
    await publishVersion('ever', '2.0.0', { never: '2.0.0' })
    await publishVersion('never', '2.0.0', { ever: '1.0.0' })
    await assertRejected(
      await publishWithDependents(0, { dependencies: { ever: '1.0.0' } }),
      /more than|cannot|too long|ENAMETOOLONG/,
    )
  })
})

describe('POST /api/plugins/install/ of a package with dependencies', () => {
  it('resolves ranges, tags, aliases, optional dependencies, and two versions of one package', async () => {
    const publishLibrary = async (name: string, version: string, head: object = {}, tag?: string) =>
      await registry.publish(
        await packFiles({
          'package.json': JSON.stringify({ name, version, ...head }),
          'index.js': `module.exports = { is: '${name}@${version}', find: (name) => require(name).is }`,
        }),
        tag,
      )
    await publishLibrary('shared', '1.0.0')
    await publishLibrary('shared', '1.5.0')
    await publishLibrary('shared', '3.0.0', {}, 'next')
    await publishLibrary('shared', '2.0.0')
    await publishLibrary('older', '1.0.0', { dependencies: { shared: '^1.0.0' }, devDependencies: { trap: trapUrl } })
    await publishLibrary('circle-one', '1.0.0', { dependencies: { 'circle-two': '*' } })
    await publishLibrary('circle-two', '1.0.0', { dependencies: { 'circle-one': '*', shared: 'next' } })
    await publishLibrary('foreign', '1.0.0', { os: ['!any-but-this', 'plan9'] })
    const head = {
      dependencies: { older: '', shared: '>=2.0.0 <3.0.0 || ^4', aliased: 'npm:shared@1.0.0', 'circle-one': '1.x' },
      optionalDependencies: { foreign: '1.0.0', absent: '^1.0.0' },
      overrides: { shared: '$shared', older: { shared: '^1.0.0' } },
      workspaces: ['website'],
    }
    const body = `
      import shared from 'shared'
      import older from 'older'
      import aliased from 'aliased'
      import circle from 'circle-one'
      import { createRequire } from 'node:module'
      const two = createRequire(createRequire(import.meta.url).resolve('circle-one'))('circle-two')
      const found = [shared.is, older.find('shared'), aliased.is, circle.find('circle-two'), two.find('circle-one'), two.find('shared')]
      const expected = 'shared@2.0.0,shared@1.5.0,shared@1.0.0,circle-two@1.0.0,circle-one@1.0.0,shared@3.0.0'
      if (found.join() !== expected) throw new Error(found.join())`
    await registry.publish(await packFiles(createPluginPackage({ name: 'decent', slug: 'decent', head, body })))
    const first = await installFromRegistry('decent')
    assert.equal(first.status, 201, first.text)
    assert.match(first.body.output, /^added 8 packages: decent 1\.0\.0, /)
    const readDigest = async () => await service.rows(`select digest from plugin_package where key = 'decent'`)
    const before = await readDigest()
    assert.equal((await installFromRegistry('decent')).status, 201)
    assert.deepEqual(await readDigest(), before, 'the same packages result in the same folder')

    const packageName = await publishWithDependents(1, { os: ['plan9'] })
    await assertRejected(packageName, /does not support this machine/)
    await assertRejected(await publishWithDependents(0, { dependencies: { absent: '^1.0.0' } }), /404/)
    await assertRejected(
      await publishWithDependents(0, { dependencies: { shared: '^9.0.0' } }),
      /shared has no version \^9\.0\.0/,
    )
  })
})
