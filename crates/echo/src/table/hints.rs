//! What the machine is told about the table's memory beforehand. Hints change nothing but the time things take.
//!
//! Every node asks for a bucket somewhere in the table, which is far from the processor twice over: the memory
//! itself, and the page it lies in, since thousands of small pages are more than a processor keeps in mind.
//! Without the hints a fifth of the search's time went by waiting there; large pages alone were worth 4 % of
//! the speed with 16 MiB.

#![expect(unsafe_code, reason = "there is no other way to give these hints")]

/// This will be read soon.
pub(super) fn prefetch<T>(what: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing that can be seen and faults on no address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(what).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = what;
}

/// This is read all over: large pages, where the system has them to give.
pub(super) fn advise_huge_pages<T>(what: &mut [T]) {
    #[cfg(target_os = "linux")]
    {
        use nix::sys::mman::{MmapAdvise, madvise};
        let bytes = size_of_val(what);
        let pages = std::ptr::NonNull::from(what).cast();
        // SAFETY: the advice neither moves nor changes what lies in the pages, all of which are the caller's.
        let _ = unsafe { madvise(pages, bytes, MmapAdvise::MADV_HUGEPAGE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = what;
}
