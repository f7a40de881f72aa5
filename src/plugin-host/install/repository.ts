import { mkdir, writeFile } from 'node:fs/promises'
import { devNull } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import semver from 'semver'
import { InstallError } from './cannot-install.ts'
import type { Credentials } from './package-request.ts'
import { findGit, runProgram } from './programs.ts'

/** A repository at one of its commits. */
export type Repository = {
  url: string
  /** A branch, tag or commit, or `semver:` with a range of tags. Empty for the repository's default branch. */
  revision: string
  credentials?: Credentials
}

type CloneOptions = {
  /** An empty folder for the clone. */
  folder: string
  signal: AbortSignal
  /** Receives the files of the commit: an archive with all of them in one folder. */
  read: (archive: Readable) => Promise<void>
}

/** Maximum characters of the names of all tags. */
const MAX_TAG_LIST_LENGTH = 4_000_000
/** Resets every attribute by which a commit changes or omits files on export: all files are exported unchanged. */
const ATTRIBUTES = '* !export-ignore !export-subst !filter !ident !text !crlf !eol !working-tree-encoding\n'

/**
 * Clones a repository, without a work tree, and reads the files of one commit. Nothing in the clone is run or configures anything: git
 * reads no configuration except the command line, has no hooks and no filters, and ignores submodules.
 * @returns the commit
 * @throws InstallError with the output of git, and the errors of `read`
 */
export async function readRepository(repository: Repository, { folder, signal, read }: CloneOptions): Promise<string> {
  const git = findGit()
  if (!git) throw new InstallError('git is not available on this machine: PATH does not have it.')
  const clone = join(folder, 'clone')
  const environment = buildEnvironment(repository, folder)
  const run = async (args: readonly string[], reader?: (stdout: Readable) => Promise<void>) => {
    const { isSuccessful, output } = await runProgram(git, args, { folder, environment, signal, ...(reader && { read: reader }) })
    if (!isSuccessful) throw new InstallError(output.replaceAll(folder, '.') || 'git failed without a message.')
    return output
  }
  // the target of a redirect would be connected to unchecked
  await run(['-c', 'http.followRedirects=false', 'clone', '--bare', '--quiet', '--template=', '--', repository.url, clone])
  const cloneArguments = ['--git-dir', clone]
  const revision = await resolveRevision(repository.revision, async () => {
    let tags = ''
    await run([...cloneArguments, 'for-each-ref', '--format=%(refname:strip=2)', 'refs/tags'], async (stdout) => {
      for await (const piece of stdout.setEncoding('utf8')) {
        tags += piece
        if (tags.length > MAX_TAG_LIST_LENGTH) throw new InstallError('The repository has too many tags to choose one.')
      }
    })
    return tags
  })
  const commit = await findCommit(revision, (name) => run([...cloneArguments, 'rev-parse', '--verify', '--quiet', name]))
  await mkdir(join(clone, 'info'), { recursive: true })
  await writeFile(join(clone, 'info', 'attributes'), ATTRIBUTES)
  await run([...cloneArguments, 'archive', '--format=tar', '--prefix=package/', commit], read)
  return commit
}

async function findCommit(revision: string, parse: (name: string) => Promise<string>): Promise<string> {
  const output = await parse(`${revision}^{commit}`).catch(() => '')
  // git may warn of another ref of this name
  const [commit] = /^[0-9a-f]{40,64}$/m.exec(output) ?? []
  if (commit === undefined) throw new InstallError(`The repository has no commit ${revision}.`)
  return commit
}

async function resolveRevision(revision: string, listTags: () => Promise<string>): Promise<string> {
  if (!revision.startsWith('semver:')) return revision || 'HEAD'
  const range = revision.slice('semver:'.length)
  const tag = semver.maxSatisfying((await listTags()).split('\n'), range, { loose: true })
  if (tag === null) throw new InstallError(`The repository has no tag that is a version in ${range}.`)
  return `refs/tags/${tag}`
}

function buildEnvironment({ url, credentials }: Repository, home: string): Record<string, string> {
  const environment: Record<string, string> = {
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: home,
    TMPDIR: home,
    TEMP: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: devNull,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    // the folder may be inside a repository, such as that of the service
    GIT_CEILING_DIRECTORIES: dirname(home),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: 'https:http:ssh:file',
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes -oStrictHostKeyChecking=accept-new',
    LC_ALL: 'C',
  }
  const { protocol, origin } = new URL(url)
  if (!credentials || !protocol.startsWith('http')) return environment
  const withCredentials = new URL(origin)
  withCredentials.username = encodeURIComponent(credentials.username)
  withCredentials.password = encodeURIComponent(credentials.password)
  return {
    ...environment,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.${withCredentials.href}.insteadOf`,
    GIT_CONFIG_VALUE_0: `${origin}/`,
  }
}
