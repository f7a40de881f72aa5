import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findAllBrokenReferences, findBrokenReferences, listAnchors } from './links.ts'

const FILES: Record<string, string> = {
  'docs/guide.md': '# Guide\n\n## Sign in, `sign out`\n\n## Tokens\n\n## Tokens\n\n- <a id="old-name"></a>kept\n',
  'docs/adr/0001-counts.md': '# 0001 Counts\n',
  'docs/differences.json': '[]',
  'src/app.ts': '',
}
/** Problems of a file with this text, next to FILES and the folder src/kit. */
const findProblems = (file: string, text: string) => {
  const files: Record<string, string> = { ...FILES, 'src/kit': '', [file]: text }
  const readAnchors = (path: string) => (path in files ? listAnchors(files[path] ?? '') : undefined)
  return findBrokenReferences(file, text, readAnchors, ['0001-counts.md'])
}

describe('the check of links', () => {
  it('makes anchors of headings as GitHub does', () => {
    assert.deepEqual(listAnchors(FILES['docs/guide.md'] ?? ''), ['guide', 'sign-in-sign-out', 'tokens', 'tokens-1', 'old-name'])
  })

  it('accepts links of Markdown files to files, folders and headings', () => {
    for (const text of [
      '[guide](../../docs/guide.md)',
      '[guide](../../docs/guide.md#sign-in-sign-out)',
      '[second](../../docs/guide.md#tokens-1)',
      '# Title\n[above](#title)',
      '[folder](../kit)',
      '![picture](../app.ts) <img src="../app.ts">',
      '[elsewhere](https://example.com/missing.md) [page](/docs/missing)',
      '`src/app.ts` has no link',
    ])
      assert.deepEqual(findProblems('src/kit/README.md', text), [], text)
  })

  it('rejects links to missing files and headings, with their line', () => {
    for (const [text, problem] of [
      ['first\n\n[guide](../docs/guides.md)', 'src/README.md:3: ../docs/guides.md does not exist'],
      ['[guide](../docs/guide.md#token)', 'src/README.md:1: ../docs/guide.md#token: docs/guide.md has no heading #token'],
      ['[above](#title)', 'src/README.md:1: #title: src/README.md has no heading #title'],
      ['<img src="missing.png">', 'src/README.md:1: missing.png does not exist'],
      ['see `src/missing.ts`', 'src/README.md:1: src/missing.ts does not exist'],
    ] as const)
      assert.deepEqual(findProblems('src/README.md', text), [problem])
  })

  it('rejects paths below docs that do not exist, in any text', () => {
    assert.deepEqual(findProblems('src/app.ts', '// see docs/guide.md#tokens and docs/differences.json'), [])
    assert.deepEqual(findProblems('src/app.ts', '\n// see docs/guides.md'), ['src/app.ts:2: docs/guides.md does not exist'])
    assert.deepEqual(findProblems('docs/differences.json', '"docs/guide.md#token: a reason"'), [
      'docs/differences.json:1: docs/guide.md#token: docs/guide.md has no heading #token',
    ])
  })

  it('rejects numbers of records that do not exist', () => {
    assert.deepEqual(findProblems('src/app.ts', '// (ADR 0001)'), [])
    assert.deepEqual(findProblems('src/app.ts', '// (ADR 0002)'), ['src/app.ts:1: docs/adr has no record 0002'])
  })

  it('rejects citations of documents outside of the repository', () => {
    for (const citation of ['decision 4', 'Decisions 20', 'decision\n * 31', 'CONTRACT 21', 'reference description'])
      assert.equal(findProblems('src/app.ts', `/** As in ${citation}. */`).length, 1, citation)
  })

  it('finds no problem in this repository', () => {
    assert.deepEqual(findAllBrokenReferences(), [])
  })
})
