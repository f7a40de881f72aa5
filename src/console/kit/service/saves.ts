import { type ApiResponse, type Change, change, post, remove as removeAt } from './api.ts'

/** The last pending save of each object. */
const pendingByUrl = new Map<string, Promise<unknown>>()
/** The next version of an object's version, where a save of this console created it; the oldest first. */
const newerVersions = new Map<string, string>()
/** Maximum number of stored versions. */
const MAX_VERSIONS = 1_000

/** The latest version that followed a version by saves of this console alone. */
function findNewestVersion(url: string, etag: string | undefined): string | undefined {
  let version = etag
  for (let next = version; next !== undefined; next = newerVersions.get(`${url} ${next}`)) version = next
  return version
}

/**
 * Changes fields of an object as `change` does. Saves of one object run one after the other, each on the version from the previous one: an
 * edit conflicts with other people's changes since it began, and never with our own.
 * @param etag the version that was shown when the edit began
 * @throws ApiError
 */
export async function save<T>(url: string, body: unknown, etag: string | undefined): Promise<Change<T>> {
  // the parameters of a URL say what the response shows, of the same object
  const object = url.replace(/\?.*/, '')
  return runInSequence(object, async () => {
    const baseVersion = findNewestVersion(object, etag)
    const result = await change<T>(url, body, baseVersion)
    if ('saved' in result && baseVersion !== undefined && result.saved.etag !== undefined && result.saved.etag !== baseVersion) {
      newerVersions.set(`${object} ${baseVersion}`, result.saved.etag)
      for (const old of [...newerVersions.keys()].slice(0, Math.max(0, newerVersions.size - MAX_VERSIONS)))
        newerVersions.delete(old)
    }
    return result
  })
}

/**
 * Deletes an object, after its pending saves: the displayed version may be older than our own last save.
 * @param etag the version that was shown when the user decided to delete it
 * @throws ApiError
 */
export const remove = (url: string, etag?: string): Promise<ApiResponse<undefined>> =>
  runInSequence(url, () => removeAt(url, findNewestVersion(url, etag)))

/** An object as loaded by a page. */
export type LoadedObject = {
  etag: string | undefined
  /** Reloads it. */
  reload: () => void
}

/**
 * Runs an action that the user chose from the displayed object, or from our own saves since. When it is rejected, such as because the
 * object has changed, the page is reloaded: the next request is based on its new state.
 * @param url of the object: `/api/build/5/`
 * @param action below it: `finish`
 * @throws ApiError
 */
export function postAction<T>(
  url: string,
  action: string,
  body: unknown,
  key: string,
  { etag, reload }: LoadedObject,
): Promise<ApiResponse<T>> {
  return runInSequence(url, async () => {
    try {
      return await post<T>(`${url}${action}/`, body, key, findNewestVersion(url, etag))
    } catch (error) {
      reload()
      throw error
    }
  })
}

/** Runs a task on an object after its pending tasks have ended, whatever their result. */
async function runInSequence<T>(url: string, task: () => Promise<T>): Promise<T> {
  const previous = pendingByUrl.get(url)
  const operation = (async () => {
    await previous?.catch(() => undefined)
    return task()
  })()
  pendingByUrl.set(url, operation)
  try {
    return await operation
  } finally {
    if (pendingByUrl.get(url) === operation) pendingByUrl.delete(url)
  }
}
