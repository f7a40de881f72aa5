/** The InvenTree that wrote a dump. */
export type Release = { version: string; apiVersion: number | undefined }

/**
 * Reads the first element of dumps of InvenTree 1.3 and later, which describes the dump instead of a record.
 * @returns undefined for any other element
 */
export function parseRelease(element: unknown): Release | undefined {
  if (typeof element !== 'object' || element === null) return undefined
  const { metadata, model, source_version: version, api_version: apiVersion } = element as Record<string, unknown>
  if (metadata !== true || model !== undefined) return undefined
  return {
    version: typeof version === 'string' && /^[\w.+ -]{1,40}$/.test(version) ? version : 'unknown',
    apiVersion: Number.isSafeInteger(apiVersion) ? (apiVersion as number) : undefined,
  }
}

/** Models of the releases before the first element describes a dump, the newest first: a dump with one of them is not older. */
const FIRST_RELEASES: readonly (readonly [model: RegExp, release: string])[] = [
  [/^common\.parameter$/, '1.2 or newer'],
  [/^report\.(label|report)template$/, '0.16 to 1.1'],
  [/^label\.|^report\.(billofmaterials|build|purchaseorder|salesorder|test)report$/, '0.12 to 0.15'],
]

/** Names the InvenTree that wrote a dump: as the dump says, or by its models. */
export function nameRelease(release: Release | undefined, models: readonly string[]): string | undefined {
  if (release) return `${release.version}${release.apiVersion === undefined ? '' : ` (API ${release.apiVersion})`}`
  return FIRST_RELEASES.find(([model]) => models.some((name) => model.test(name)))?.[1]
}
