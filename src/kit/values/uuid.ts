/** Whether a string has the form of a UUID: no object with a UUID has a key of another form. */
export const isUuid = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
