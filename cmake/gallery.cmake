# examples/NAME.c as it is, except that every step also becomes a frame of a page: CAIRN_FILM=FILE.html gallery_NAME.
# Built by `make gallery` alone.
if(NOT TARGET cairn_io)
    return()
endif()
foreach(name overhang)
    add_executable(gallery_${name} EXCLUDE_FROM_ALL examples/${name}.c scripts/film.c)
    target_link_libraries(gallery_${name} PRIVATE cairn_io cairn_flags)
    target_link_options(gallery_${name} PRIVATE -Wl,--wrap=cairn_world_step,--wrap=cairn_world_destroy)
endforeach()
