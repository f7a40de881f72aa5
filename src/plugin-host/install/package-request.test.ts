import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Asked, type PackageRequest, readPackageRequest, redact } from './package-request.ts'

const read = (asked: Asked) => readPackageRequest(asked) as { request?: PackageRequest; errors?: Record<string, string[]> }
const specOf = (asked: Asked) => read(asked).request?.spec
const wrong = (asked: Asked) => Object.keys(read(asked).errors ?? {})

test('a name stands alone, or with a version behind @ or ==, or in a field of its own', () => {
  assert.equal(specOf({ packagename: 'thing' }), 'thing@latest')
  assert.equal(specOf({ packagename: ' thing ', version: '' }), 'thing@latest')
  assert.equal(specOf({ packagename: 'thing@1.2.3' }), 'thing@1.2.3')
  assert.equal(specOf({ packagename: 'thing==1.2.3' }), 'thing@1.2.3')
  assert.equal(specOf({ packagename: 'thing', version: 'next' }), 'thing@next')
  assert.equal(specOf({ packagename: '@scope/thing==^1.2' }), '@scope/thing@^1.2')
  assert.equal(specOf({ packagename: '@scope/thing' }), '@scope/thing@latest')
  assert.equal(specOf({ packagename: 'thing@1.2.3', version: '1.2.3' }), 'thing@1.2.3')
  assert.deepEqual(wrong({ packagename: 'thing@1.2.3', version: '1.2.4' }), ['version'])
})

test('neither a name nor an address', () => {
  const text = ['Either packagename of URL must be provided']
  for (const asked of [{}, { packagename: '', url: '' }, { packagename: null, url: ' ' }, { version: '1.0.0' }])
    assert.deepEqual(read(asked).errors, { packagename: text, url: text })
})

test('an address is a repository, an archive, a folder or a registry', () => {
  assert.deepEqual(read({ packagename: 'thing', version: '1.0.0', url: 'https://registry.example' }).request, {
    secrets: [],
    registry: 'https://registry.example/',
    name: 'thing',
    spec: 'thing@1.0.0',
    requirement: 'thing@1.0.0 from https://registry.example/',
  })
  assert.equal(specOf({ url: 'https://files.example/a/thing-1.0.0.tgz' }), 'https://files.example/a/thing-1.0.0.tgz')
  assert.equal(specOf({ url: 'file:///srv/thing%20one.tgz' }), '/srv/thing one.tgz')
  assert.equal(specOf({ url: 'file:///srv/thing' }), '/srv/thing')
  assert.equal(specOf({ url: 'git+https://git.example/thing.git#v1.0' }), 'git+https://git.example/thing.git#v1.0')
  assert.equal(specOf({ url: 'git+ssh://git@git.example/thing.git' }), 'git+ssh://git@git.example/thing.git')
  assert.equal(read({ packagename: 'thing', url: 'file:///srv/thing' }).request?.name, 'thing')
  assert.deepEqual(wrong({ url: 'https://registry.example' }), ['packagename'])
})

test('everything else is refused at its field', () => {
  const longest = `a${'b'.repeat(300)}`
  const names = [
    '-g',
    '--registry=https://evil.example',
    '../x',
    '/x',
    'a b',
    'a\u0000b',
    'a\nb',
    longest,
    'npm:thing',
    'a/b',
    '.x',
    'A',
    '@a/..',
    '@../a',
    '@a/-g',
  ]
  for (const packagename of names) assert.deepEqual(wrong({ packagename }), ['packagename'], packagename)
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
    assert.deepEqual(wrong({ packagename: 'thing', version }), ['version'], version)
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
  for (const url of urls) assert.deepEqual(wrong({ packagename: 'thing', url }), ['url'], url)
})

test('credentials stand in nothing that is told, kept or shown', () => {
  for (const place of [
    'https://who:s%40cret@registry.example/',
    'https://who:s%40cret@x.example/a.tgz',
    'git+https://who:s%40cret@x.example/a',
  ]) {
    const { request } = read({ packagename: 'thing', url: place })
    assert.ok(request)
    assert.deepEqual(request.credentials, { username: 'who', password: 's@cret' })
    const told = JSON.stringify([request.spec, request.requirement, request.registry, request.address])
    assert.doesNotMatch(told, /who|cret/)
    const basic = Buffer.from('who:s@cret').toString('base64')
    assert.equal(redact(`${place} s@cret ${basic}`, request).match(/who|cret|d2hv/), null)
  }
  const spelled = read({ url: 'git+https://who:a&b%2Fc@x.example/a.git' }).request as PackageRequest
  assert.equal(redact('a&b%2Fc a&b/c a%26b%2Fc', spelled), '*** *** ***')
  const signed = read({ url: 'https://x.example/a.tgz?key=abc&for=ever' }).request as PackageRequest
  assert.equal(signed.requirement, 'https://x.example/a.tgz')
  assert.equal(redact('404 https://x.example/a.tgz?key=abc&for=ever abc', signed), '404 https://x.example/a.tgz?*** ***')
})

test('whatever is asked for, npm is told no option, and nothing that it takes for another kind of thing', () => {
  const hostile = fc.constantFrom(
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
    fc.array(hostile, { maxLength: 8 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(fc.record({ packagename: text, version: text, url: fc.oneof(fc.constant(''), text) }), (asked) => {
      const { request, errors } = read(asked)
      if (!request) return assert.ok(Object.values(errors ?? {}).every((texts) => texts.length === 1))
      assert.doesNotMatch(request.spec, /^-|[\p{Cc}]/u)
      if (request.spec.startsWith('/') || /^(git\+)?(https?|ssh|file):\/\//.test(request.spec)) assert.ok(asked.url.trim())
      else assert.match(request.spec, /^(@[a-z0-9~][^/@\s]*\/)?[a-z0-9~][^/@\s]*@[^/:\s]+$/)
    }),
    { numRuns: 3000 },
  )
})
