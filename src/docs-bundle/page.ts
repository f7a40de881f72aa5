import { Html, html } from '../kit/values/write-html.ts'
import { type DocumentFile, GROUPS } from './documents.ts'
import type { RenderedDocument } from './render.ts'

/** A document with its text. */
export type Page = DocumentFile & RenderedDocument

/** URLs of the files that all pages load. */
export type Assets = { script: string; style: string; icon: string; searchIndex: string }

/** The page of one document. */
export function createDocumentPage(page: Page, pages: readonly Page[], assets: Assets): string {
  const group = pages.filter((other) => other.group === page.group)
  const index = group.indexOf(page)
  return createPage(
    page.title,
    page,
    pages,
    assets,
    html`<article class="doc">${new Html(page.html)}</article>
${createNeighbors(group[index - 1], group[index + 1])}`,
  )
}

/** The page that lists all documents. */
export function createIndexPage(pages: readonly Page[], assets: Assets): string {
  const groups = GROUPS.map((name) => ({ name, members: pages.filter(({ group }) => group === name) }))
  const lists = groups
    .filter(({ members }) => members.length > 0)
    .map(
      ({ name, members }) => html`<section><h2>${name}</h2>
<ul class="docs-cards">${members.map(
        ({ url, title, summary }) => html`<li><a href="${url}">${title}</a><p>${summary}</p></li>
`,
      )}</ul></section>
`,
    )
  return createPage(
    'Guides',
    undefined,
    pages,
    assets,
    html`<h1>Guides</h1>
<p class="docs-intro">How to work with Stockroom, one task a page. The <a href="/api-doc/">API documentation</a> has every operation.</p>
${lists}`,
  )
}

/** The frame of every page: the header with the search, the navigation, and the content. Nothing is inline: its policy allows that to no one. */
function createPage(title: string, current: Page | undefined, pages: readonly Page[], assets: Assets, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} – Stockroom</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.script}"></script>
</head>
<body>
<a class="skip" href="#page">Skip to content</a>
<header class="head docs-head">
<a class="brand" href="/"><img src="${assets.icon}" alt="" width="24" height="24"><span>Stockroom</span></a>
<a class="docs-home" href="/docs/">Guides</a>
<search class="docs-search" data-index="${assets.searchIndex}">
<input type="search" placeholder="Search the guides" aria-label="Search the guides" aria-controls="results" autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd>
<div id="results" class="docs-results" role="region" aria-label="Results" hidden></div>
</search>
<select class="docs-theme" aria-label="Appearance">
<option value="system">System</option><option value="light">Light</option><option value="dark">Dark</option>
</select>
<button type="button" class="docs-menu" aria-controls="contents" aria-expanded="false">Contents</button>
</header>
<div class="docs">
<nav id="contents" class="docs-nav" aria-label="Contents">
${GROUPS.map((group) => createNavigation(group, current, pages))}</nav>
<main id="page" tabindex="-1">
${content}
</main>
</div>
</body>
</html>
`.text
}

/** The links to the documents of a group; the current one with its sections. */
function createNavigation(group: Page['group'], current: Page | undefined, pages: readonly Page[]): Html {
  const members = pages.filter((page) => page.group === group)
  if (members.length === 0) return html``
  return html`<h2>${group}</h2>
<ul>${members.map((page) =>
    page === current
      ? html`<li><a href="${page.url}" aria-current="page">${page.title}</a>${createSections(page)}</li>
`
      : html`<li><a href="${page.url}">${page.title}</a></li>
`,
  )}</ul>
`
}

const createSections = ({ headings }: Page): Html =>
  headings.length === 0
    ? html``
    : html`
<ul>${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul>
`

function createNeighbors(previous: Page | undefined, next: Page | undefined): Html {
  if (!previous && !next) return html``
  return html`<nav class="docs-neighbors" aria-label="Previous and next">
${previous ? html`<a href="${previous.url}" rel="prev"><small>Previous</small> ${previous.title}</a>` : html`<span></span>`}
${next ? html`<a href="${next.url}" rel="next"><small>Next</small> ${next.title}</a>` : html``}
</nav>`
}
