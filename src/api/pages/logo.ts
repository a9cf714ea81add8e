/** The product's logo, for pages outside of the dashboard. */
export const LOGO = `<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0b7285"/><path d="M6 17h5l3-8 4 14 3-6h5" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
