import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { ROOT } from '../paths.ts'

const run = promisify(execFile)

/** A project with a single dependency, a package of this repository as installed by npm. */
export type PackedProject = {
  folder: string
  /** Checks the types of a file. @throws with the output of the compiler when they are wrong */
  checkTypes(file: string): Promise<void>
}

/**
 * Packs a workspace and installs the tarball in an empty project, which is deleted after the tests of the file: call it at its top, or in a
 * test.
 * @param workspace its folder
 */
export async function installPacked(workspace: string): Promise<PackedProject> {
  const folder = await mkdtemp(join(tmpdir(), 'stockroom-packed-'))
  after(() => rm(folder, { recursive: true, force: true }))
  await run('npm', ['pack', '--workspace', workspace, '--pack-destination', folder], { cwd: ROOT })
  const [tarball] = await readdir(folder)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'a-script', private: true, type: 'module' }))
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder })
  return {
    folder,
    async checkTypes(file) {
      const language = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom,dom.asynciterable']
      const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]
      try {
        await run(join(ROOT, 'node_modules/.bin/tsc'), ['--noEmit', ...language, ...types, file], { cwd: folder })
      } catch (error) {
        throw new Error((error as { stdout?: string }).stdout || String(error))
      }
    },
  }
}
