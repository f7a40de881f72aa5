/**
 * German names and descriptions of the global settings, by key. The English ones come from the service, whose definitions are their home.
 * A test finds keys that are missing here.
 */
export const globalSettingTexts: Readonly<Record<string, { name: string; description: string }>> = {}
