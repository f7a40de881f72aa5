import assert from 'node:assert/strict'

/** The final response to a browser, and the URLs of its redirects. */
export type Page = { status: number; url: URL; text: string; headers: Headers; redirects: URL[] }

type Cookie = { host: string; path: string; value: string }

type Visit = {
  method?: string
  /** URL of the page whose link or button is followed; omitted for a typed URL. */
  from?: string
  json?: unknown
  form?: Record<string, string>
  /** Stops before a redirect to a matching URL, and returns that as the page. */
  until?: (url: URL) => boolean
}

/** A minimal browser for sign-in: it keeps cookies by host, follows redirects, and sends the origin of a link. */
export class Browser {
  /** By host and name: ports share cookies, as in real browsers. */
  readonly cookies = new Map<string, Cookie>()

  async visit(address: string | URL, { method = 'GET', from, json, form, until }: Visit = {}): Promise<Page> {
    const redirects: URL[] = []
    let url = new URL(address)
    let site = from === undefined ? 'none' : new URL(from).origin === url.origin ? 'same-origin' : 'cross-site'
    let verb = method
    for (let step = 0; step < 20; step++) {
      const body = verb === 'GET' ? undefined : json ? JSON.stringify(json) : form ? new URLSearchParams(form) : undefined
      const response = await fetch(url, {
        method: verb,
        redirect: 'manual',
        body,
        headers: {
          'sec-fetch-site': site,
          ...(json ? { 'content-type': 'application/json' } : {}),
          ...(from ? { referer: new URL(from).origin } : {}),
          cookie: this.#cookieHeader(url),
        },
      })
      this.#storeCookies(url, response.headers.getSetCookie())
      const location = response.headers.get('location')
      if (response.status < 300 || response.status > 399 || location === null)
        return { status: response.status, url, text: await response.text(), headers: response.headers, redirects }
      await response.body?.cancel()
      redirects.push(url)
      const next = new URL(location, url)
      if (next.origin !== url.origin) site = 'cross-site'
      url = next
      verb = 'GET'
      if (until?.(url)) return { status: response.status, url, text: '', headers: response.headers, redirects }
    }
    return assert.fail(`too many redirects: ${redirects.map(String).join(' ')}`)
  }

  cookie(url: string | URL, name: string): string | undefined {
    return this.cookies.get(`${new URL(url).hostname} ${name}`)?.value
  }

  /** Returns another browser with the same cookies, as if they were stolen. */
  copy(): Browser {
    const copy = new Browser()
    for (const [key, cookie] of this.cookies) copy.cookies.set(key, { ...cookie })
    return copy
  }

  #cookieHeader({ hostname, pathname }: URL): string {
    return [...this.cookies]
      .filter(([, cookie]) => cookie.host === hostname && pathname.startsWith(cookie.path))
      .map(([key, { value }]) => `${key.split(' ')[1]}=${value}`)
      .join('; ')
  }

  #storeCookies({ hostname }: URL, lines: string[]): void {
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(/;\s*/)
      const [name, value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
      const attribute = (attributeName: string) =>
        attributes.find((text) => text.toLowerCase().startsWith(`${attributeName}=`))?.split('=')[1]
      const expires = attribute('expires')
      const isExpired = attribute('max-age') === '0' || (expires !== undefined && Date.parse(expires) < Date.now())
      const key = `${hostname} ${name}`
      if (isExpired || value === '') this.cookies.delete(key)
      else this.cookies.set(key, { host: hostname, path: attribute('path') ?? '/', value })
    }
  }
}
