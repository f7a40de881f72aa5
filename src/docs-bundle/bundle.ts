import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { build, type Metafile } from 'esbuild'
import sharp from 'sharp'
import { compressFiles, writeBundle } from '../console-bundle/write-bundle.ts'
import { DOCS, ROOT } from '../paths.ts'
import { getDocsFolder, isDocsBundled, listInputs } from './bundled.ts'
import { listDocuments } from './documents.ts'
import { type Assets, createDocumentPage, createIndexPage, type Page } from './page.ts'
import { renderDocument } from './render.ts'

// The process that bundles the documents: run by `npm run bundle`, `prepare`, and the first start without a bundle of them.

/** Folder of the files that pages load, in the bundle; their names have a hash. */
const FILES = 'files'
const FILES_URL_PREFIX = '/docs/files/'

/** Writes the files of the bundle: `index.html` of each page in a folder that is named by its URL, and `files/`. */
async function fillBundle(draft: string): Promise<void> {
  await mkdir(join(draft, FILES))
  const { script, style, icon } = await bundleAssets(draft)
  const pages = await renderPages(draft)
  const index = pages.flatMap(({ url, title, sections }) =>
    sections.map(({ heading, id, text }) => ({ url: id ? `${url}#${id}` : url, page: title, heading, text })),
  )
  const searchIndex = await writeHashed(draft, 'search.json', JSON.stringify(index))
  const assets: Assets = { script, style, icon, searchIndex }
  for (const page of pages) {
    const folder = join(draft, page.url.slice('/docs/'.length))
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'index.html'), createDocumentPage(page, pages, assets))
  }
  await writeFile(join(draft, 'index.html'), createIndexPage(pages, assets))
  await compressFiles(draft)
}

/** Bundles the script and the style of the pages, and copies the icon. */
async function bundleAssets(draft: string): Promise<Pick<Assets, 'script' | 'style' | 'icon'>> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/console/docs/docs.ts', 'src/console/docs/docs.css'],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    tsconfig: 'src/console/tsconfig.json',
    minify: true,
    entryNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.woff2': 'file' },
    publicPath: FILES_URL_PREFIX,
    outdir: join(draft, FILES),
    metafile: true,
    logLevel: 'warning',
  })
  checkInputs(metafile)
  const getOutput = (entry: string) => {
    const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry)
    if (!found) throw new Error(`esbuild created no ${entry}`)
    return FILES_URL_PREFIX + basename(found[0])
  }
  return {
    script: getOutput('src/console/docs/docs.ts'),
    style: getOutput('src/console/docs/docs.css'),
    icon: await writeHashed(draft, 'icon.svg', await readFile(join(ROOT, 'src/console/icon.svg'))),
  }
}

/** Requires every input to be part of the hash of the bundle: otherwise the bundle would not be replaced when that file changes. @throws Error */
function checkInputs({ inputs }: Metafile): void {
  const known = new Set(listInputs())
  const unknown = Object.keys(inputs).filter((path) => !known.has(path) && !/(^|\/)node_modules\//.test(path))
  if (unknown.length > 0) throw new Error(`not among the inputs of bundled.ts: ${unknown.join(', ')}`)
}

/** Renders all documents, and copies the images below `docs/`. */
async function renderPages(draft: string): Promise<Page[]> {
  const documents = listDocuments()
  const urls = new Map(documents.map(({ path, url }) => [path, url]))
  const images = new Map<string, { url: string; width: number; height: number }>()
  for (const path of globSync('**/*.{png,jpg,svg,webp}', { cwd: DOCS })) {
    const content = await readFile(join(DOCS, path))
    const { width = 0, height = 0 } = await sharp(content).metadata()
    images.set(path.replaceAll('\\', '/'), { url: await writeHashed(draft, basename(path), content), width, height })
  }
  const targets = { getUrl: (path: string) => urls.get(path), getImage: (path: string) => images.get(path) }
  return await Promise.all(
    documents.map(async (document) => ({
      ...document,
      ...renderDocument(await readFile(join(DOCS, document.path), 'utf8'), document.path, targets),
    })),
  )
}

/** Writes a file with a hash of its content in its name. @returns its URL */
async function writeHashed(draft: string, name: string, content: string | Buffer): Promise<string> {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8).toUpperCase()
  const extension = extname(name)
  const hashedName = `${basename(name, extension)}-${hash}${extension}`
  await writeFile(join(draft, FILES, hashedName), content)
  return FILES_URL_PREFIX + hashedName
}

const [folder = getDocsFolder()] = process.argv.slice(2)
if (!isDocsBundled(folder)) await writeBundle(folder, isDocsBundled, fillBundle)
