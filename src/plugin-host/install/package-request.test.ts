import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type PackageBody, type PackageRequest, readPackageRequest, redact } from './package-request.ts'

const read = (body: PackageBody) => readPackageRequest(body) as { request?: PackageRequest; errors?: Record<string, string[]> }
const readSource = (body: PackageBody) => read(body).request?.source
/** The name and version, as `name@version`. */
const readVersion = (body: PackageBody) => {
  const source = readSource(body)
  return source?.kind === 'registry' ? `${source.name}@${source.version}` : undefined
}
const invalidFields = (body: PackageBody) => Object.keys(read(body).errors ?? {})

test('a name may be followed by a version after @ or ==, or have it in its own field', () => {
  assert.equal(readVersion({ packagename: 'thing' }), 'thing@latest')
  assert.equal(readVersion({ packagename: ' thing ', version: '' }), 'thing@latest')
  assert.equal(readVersion({ packagename: 'thing@1.2.3' }), 'thing@1.2.3')
  assert.equal(readVersion({ packagename: 'thing==1.2.3' }), 'thing@1.2.3')
  assert.equal(readVersion({ packagename: 'thing', version: 'next' }), 'thing@next')
  assert.equal(readVersion({ packagename: '@scope/thing==^1.2' }), '@scope/thing@^1.2')
  assert.equal(readVersion({ packagename: '@scope/thing' }), '@scope/thing@latest')
  assert.equal(readVersion({ packagename: 'thing@1.2.3', version: '1.2.3' }), 'thing@1.2.3')
  assert.deepEqual(invalidFields({ packagename: 'thing@1.2.3', version: '1.2.4' }), ['version'])
})

test('a request with neither a name nor a URL is rejected', () => {
  const text = ['Either packagename of URL must be provided']
  for (const body of [{}, { packagename: '', url: '' }, { packagename: null, url: ' ' }, { version: '1.0.0' }])
    assert.deepEqual(JSON.parse(JSON.stringify(read(body).errors)), { packagename: text, url: text })
})

test('a URL stands for a repository, an archive, a folder or a registry', () => {
  assert.deepEqual(read({ packagename: 'thing', version: '1.0.0', url: 'https://registry.example' }).request, {
    source: { kind: 'registry', name: 'thing', version: '1.0.0', registry: 'https://registry.example/' },
    secrets: [],
    name: 'thing',
    requirement: 'thing@1.0.0 from https://registry.example/',
  })
  assert.deepEqual(readSource({ url: 'https://files.example/a/thing-1.0.0.tgz' }), {
    kind: 'archive',
    url: 'https://files.example/a/thing-1.0.0.tgz',
  })
  assert.deepEqual(readSource({ url: 'file:///srv/thing%20one.tgz' }), { kind: 'path', path: '/srv/thing one.tgz' })
  assert.deepEqual(readSource({ url: 'file:///srv/thing%23%25' }), { kind: 'path', path: '/srv/thing#%' })
  assert.deepEqual(readSource({ url: 'git+https://git.example/thing.git#v1.0' }), {
    kind: 'repository',
    url: 'https://git.example/thing.git',
    revision: 'v1.0',
  })
  assert.deepEqual(readSource({ url: 'git+ssh://git@git.example/thing.git' }), {
    kind: 'repository',
    url: 'ssh://git@git.example/thing.git',
    revision: '',
  })
  assert.deepEqual(readSource({ url: 'git+file:///srv/thing#semver:^1.0.0' }), {
    kind: 'repository',
    url: 'file:///srv/thing',
    revision: 'semver:^1.0.0',
  })
  assert.equal(read({ packagename: 'thing', url: 'file:///srv/thing' }).request?.name, 'thing')
  assert.deepEqual(invalidFields({ url: 'https://registry.example' }), ['packagename'])
})

test('everything else is rejected with an error at its field', () => {
  const tooLongName = `a${'b'.repeat(300)}`
  const names = [
    '-g',
    '--registry=https://evil.example',
    '../x',
    '/x',
    'a b',
    'a\u0000b',
    'a\nb',
    tooLongName,
    'npm:thing',
    'a/b',
    '.x',
    'A',
    '@a/..',
    '@../a',
    '@a/-g',
  ]
  for (const packagename of names) assert.deepEqual(invalidFields({ packagename }), ['packagename'], packagename)
  for (const version of [
    '-g',
    '../x',
    'file:/x',
    'npm:x@1',
    'a b',
    'x.tgz',
    'x.tar.gz',
    'git+ssh://x',
    '1\u0000',
    '9'.repeat(200),
  ])
    assert.deepEqual(invalidFields({ packagename: 'thing', version }), ['version'], version)
  const urls = [
    'thing',
    '-g',
    'ftp://x.example/thing.tgz',
    'javascript:1',
    'file:thing.tgz',
    'file://host/thing.tgz',
    'file:///a%2fb',
    'file:///a%00b',
    'file:///a#b',
    'git+ext::sh -c x',
    'git+ext://x',
    'hg+https://x.example/a',
    'git+https://x.example/a#--upload-pack=x',
    'git+ssh://-oProxyCommand=x/a',
    'git+ssh://u:p@x.example/a',
    'git+https://x.example/a?b',
    'https://x.example/?a=b',
    'https://',
    'https://x y/',
  ]
  for (const url of urls) assert.deepEqual(invalidFields({ packagename: 'thing', url }), ['url'], url)
})

test('credentials appear in no output, stored value or response', () => {
  for (const address of [
    'https://who:s%40cret@registry.example/',
    'https://who:s%40cret@x.example/a.tgz',
    'git+https://who:s%40cret@x.example/a',
  ]) {
    const { request } = read({ packagename: 'thing', url: address })
    assert.ok(request)
    assert.deepEqual(request.credentials, { username: 'who', password: 's@cret' })
    const serialized = JSON.stringify([request.source, request.requirement])
    assert.doesNotMatch(serialized, /who|cret/)
    const basic = Buffer.from('who:s@cret').toString('base64')
    assert.equal(redact(`${address} s@cret ${basic}`, request).match(/who|cret|d2hv/), null)
  }
  const spelled = read({ url: 'git+https://who:a&b%2Fc@x.example/a.git' }).request as PackageRequest
  assert.equal(redact('a&b%2Fc a&b/c a%26b%2Fc', spelled), '*** *** ***')
  const signed = read({ url: 'https://x.example/a.tgz?key=abc&for=ever' }).request as PackageRequest
  assert.equal(signed.requirement, 'https://x.example/a.tgz')
  assert.equal(redact('404 https://x.example/a.tgz?key=abc&for=ever abc', signed), '404 https://x.example/a.tgz?*** ***')
})

test('a name is never a path and a revision never an option, whatever the request', () => {
  const hostileString = fc.constantFrom(
    '-',
    '--',
    '-g',
    '@',
    '==',
    '/',
    '..',
    ':',
    '#',
    ' ',
    '\u0000',
    '\n',
    '%',
    'a',
    '1',
    'git+',
    'file:',
    'https://',
    '.tgz',
    'é',
  )
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.array(hostileString, { maxLength: 8 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(fc.record({ packagename: text, version: text, url: fc.oneof(fc.constant(''), text) }), (body) => {
      const { request, errors } = read(body)
      if (!request) return assert.ok(Object.values(errors ?? {}).every((texts) => texts.length === 1))
      const { source } = request
      assert.doesNotMatch(JSON.stringify(source), /\p{Cc}/u)
      if (source.kind === 'registry') {
        assert.match(source.name, /^(@[a-z0-9~][^/@\s]*\/)?[a-z0-9~][^/@\s]*$/)
        assert.match(source.version, /^[^/:\s-][^/:\s]*$/)
      } else assert.ok(body.url.trim())
      if (source.kind === 'path') assert.match(source.path, /^\//)
      if (source.kind === 'archive') assert.match(source.url, /^https?:\/\//)
      if (source.kind === 'repository') {
        assert.match(source.url, /^(https?|ssh|file):\/\//)
        assert.doesNotMatch(source.revision, /^-/)
      }
    }),
    { numRuns: 3000 },
  )
})
