import { type Answer, type Change, change, post, remove as removeAt } from './api.ts'

/** The last save of each object that is under way. */
const underWay = new Map<string, Promise<unknown>>()
/** What saves made of the versions of objects, the oldest first. */
const followers = new Map<string, string>()
/** How many of them are remembered. */
const REMEMBERED = 1_000

/** What a version became by saves of this console alone. */
function newest(url: string, etag: string | undefined): string | undefined {
  let version = etag
  for (let next = version; next !== undefined; next = followers.get(`${url} ${next}`)) version = next
  return version
}

/**
 * Changes fields of an object as `change` does. Saves of one object follow one another, each on the version that the one before made: an edit
 * is in conflict with what others changed since it began, and never with an own one.
 * @param etag the version that was shown when the edit began
 * @throws Refusal
 */
export async function save<T>(url: string, body: unknown, etag: string | undefined): Promise<Change<T>> {
  return inTurn(url, async () => {
    const from = newest(url, etag)
    const done = await change<T>(url, body, from)
    if ('saved' in done && from !== undefined && done.saved.etag !== undefined && done.saved.etag !== from) {
      followers.set(`${url} ${from}`, done.saved.etag)
      for (const old of [...followers.keys()].slice(0, Math.max(0, followers.size - REMEMBERED))) followers.delete(old)
    }
    return done
  })
}

/**
 * Deletes an object, after the saves of it that are under way: what is shown of it may be older than what this console made of it itself.
 * @param etag the version that was shown when it was decided
 * @throws Refusal
 */
export const remove = (url: string, etag?: string): Promise<Answer<undefined>> =>
  inTurn(url, () => removeAt(url, newest(url, etag)))

/** An object as a page read it. */
export type Seen = {
  etag: string | undefined
  /** Reads it anew. */
  again: () => void
}

/**
 * Carries out an action on an object that was decided by what a page shows, and by what this console saved of it since. Where it is refused,
 * such as because somebody else changed that, the page is read anew: what is sent next is decided by what is there then.
 * @param url of the object: `/api/build/5/`
 * @param action below it: `finish`
 * @throws Refusal
 */
export function postSeen<T>(url: string, action: string, body: unknown, key: string, { etag, again }: Seen): Promise<Answer<T>> {
  return inTurn(url, async () => {
    try {
      return await post<T>(`${url}${action}/`, body, key, newest(url, etag))
    } catch (error) {
      again()
      throw error
    }
  })
}

/** Does something with an object once what is under way with it has ended, whatever became of that. */
async function inTurn<T>(url: string, task: () => Promise<T>): Promise<T> {
  const before = underWay.get(url)
  const mine = (async () => {
    await before?.catch(() => undefined)
    return task()
  })()
  underWay.set(url, mine)
  try {
    return await mine
  } finally {
    if (underWay.get(url) === mine) underWay.delete(url)
  }
}
