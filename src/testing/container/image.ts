import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isAlive, listProcessTree } from '../../processes.ts'
import { waitUntil } from '../until.ts'

/** The configuration of an image, as image formats name it. */
type ImageConfig = {
  User: string
  WorkingDir: string
  Env: string[]
  Entrypoint: string[]
  Cmd: string[]
  ExposedPorts: Record<string, object>
  Volumes: Record<string, object>
  StopSignal: NodeJS.Signals
  Healthcheck: { Test: string[]; Interval: number; Timeout: number; StartPeriod: number; Retries: number }
}

export type Image = { folder: string; config: ImageConfig }

/** Variables in which `.ci/image` passes the folder with the files of the built image, and a file with the output of `buildah inspect`. */
const { STOCKROOM_IMAGE_FOLDER: folder, STOCKROOM_IMAGE_CONFIG: configFile } = process.env

/** The image that `.ci/image` built; undefined in other runs. */
export const builtImage: Image | undefined =
  folder && configFile ? { folder, config: JSON.parse(readFileSync(configFile, 'utf8')).Docker.config } : undefined

/**
 * Prepares the root folder of a container, then becomes its first process: as a container engine does it, with the files of the image read-only,
 * in namespaces of mounts and of processes, without capabilities. It keeps the network of the machine.
 */
const START_SCRIPT = `set -e
root=$1 user=$2 working=$3 data=$4 backups=$5
shift 5
mount --bind "$root" "$root"
mount --bind "$data" "$root/data"
mount --bind "$backups" "$root/backups"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -o remount,bind,ro "$root"
exec chroot "$root" setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all \\
  env --chdir "$working" "$@"`

/** Folders in place of the volumes of a container. */
export type Volumes = { data: string; backups: string }

/** Containers that were started, and folders of volumes. */
const runners: ChildProcess[] = []
const folders: string[] = []

/** Kills all containers and deletes all volumes; registered by a test file that starts some. */
export function removeContainers(): void {
  for (const runner of runners) runner.kill('SIGKILL')
  for (const path of folders) rmSync(path, { recursive: true, force: true, maxRetries: 20 })
}

/** Creates empty volumes that the user of the image owns, as an engine does. */
export function createVolumes({ folder, config }: Image): Volumes {
  const parent = mkdtempSync(join(tmpdir(), 'stockroom-volumes-'))
  folders.push(parent)
  const { uid, gid } = findUser(folder, config.User)
  const create = (name: string) => {
    const path = mkdtempSync(join(parent, `${name}-`))
    chownSync(path, uid, gid)
    return path
  }
  return { data: create('data'), backups: create('backups') }
}

/** The numbers of a user in an image. */
export function findUser(folder: string, name: string): { uid: number; gid: number } {
  const line = readFileSync(join(folder, 'etc/passwd'), 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

export type Container = {
  /** Runs a program in the container, with its environment. */
  execute(command: readonly string[]): Promise<{ status: number | null; stdout: string; stderr: string }>
  /** The ids of all its processes, outside of its namespace. */
  listProcesses(): number[]
  /** The lines of its output so far. */
  readLog(): string
  /** Sends the signal that stops it, and returns its exit status. */
  stop(): Promise<number | null>
}

/** Starts a container: the command of the image, or another one for its entry point. `removeContainers` ends it. */
export async function startContainer(
  image: Image,
  volumes: Volumes,
  environment: Record<string, string>,
  command: readonly string[] = image.config.Cmd,
): Promise<Container> {
  const { config } = image
  const variables = [...config.Env, ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)]
  const { uid, gid } = findUser(image.folder, config.User)
  const place = [image.folder, String(uid), config.WorkingDir, volumes.data, volumes.backups]
  const runner: ChildProcess = spawn(
    'unshare',
    [
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      'sh',
      '-c',
      START_SCRIPT,
      'sh',
      ...place,
      '-i',
      ...variables,
      ...config.Entrypoint,
      ...command,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let log = ''
  for (const stream of [runner.stdout, runner.stderr]) stream?.on('data', (data) => (log += data))
  const closed = once(runner, 'close')
  runners.push(runner)
  /** The first process of the container, which `unshare` starts. */
  const first = () => listProcessTree(runner.pid as number)[1]
  await waitUntil(() => runner.exitCode !== null || first() !== undefined, 'the container does not start')
  const pid = first()

  return {
    execute: async (program) => {
      const enter = ['--target', String(pid), '--mount', '--pid', '--root', '--setuid', String(uid), '--setgid', String(gid)]
      const words = [...enter, 'env', '-i', `--chdir=${config.WorkingDir}`, ...variables, ...program]
      const child = spawn('nsenter', words, { stdio: ['ignore', 'pipe', 'pipe'] })
      const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
      return { status, stdout, stderr }
    },
    listProcesses: () => (pid === undefined ? [] : listProcessTree(pid)),
    readLog: () => log,
    stop: async () => {
      if (pid !== undefined && isAlive(pid)) process.kill(pid, config.StopSignal)
      await closed
      return runner.exitCode
    },
  }
}

/** Runs a command of the image to its end. */
export async function runInContainer(
  image: Image,
  volumes: Volumes,
  environment: Record<string, string>,
  command: readonly string[],
): Promise<{ status: number | null; output: string }> {
  const container = await startContainer(image, volumes, environment, command)
  await waitUntil(() => container.listProcesses().length === 0, `it does not end: ${command}`, 120_000)
  const status = await container.stop()
  return { status, output: container.readLog() }
}
