/** A tag, an end tag or a declaration that is whole. */
const TAG = /<\/?[a-z!][^<>]*>/i

/** The beginning of a comment, declaration, instruction or end tag. */
const OPENED = /<(?:\/[a-z]|\?[a-z]|!(?:--|\[|[a-z]))/i

/** Elements that do something by themselves, or swallow what follows. The rest of a page would supply the bracket. */
const ACTIVE =
  /<(?:script|style|iframe|frameset|frame|object|embed|applet|meta|svg|math|img|template|noscript|noembed|noframes|plaintext|xmp|textarea|marquee)(?=[\s/>]|$)/i

/** Any other element with an attribute that acts or leads elsewhere. */
const ATTRIBUTE =
  /<[a-z][^<>]*[\s/"'](?:on[a-z]{3,}|href|xlink:href|src|srcset|srcdoc|style|action|formaction|http-equiv|poster|background)\s*=/i

/** Whether a text holds HTML, also such as lacks its closing bracket. `a < b`, `<3` and `x<5mm` are none. */
export const holdsHtml = (text: string): boolean => [TAG, OPENED, ACTIVE, ATTRIBUTE].some((pattern) => pattern.test(text))
