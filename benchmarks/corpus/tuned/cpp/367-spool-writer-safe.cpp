#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace spool {

// Puts a job in the spool folder, which all accounts of the print group write to; a job that is
// already there is never changed.
void put(const std::string &path, const std::string &data) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
    if (fd < 0) {
        throw std::system_error(errno, std::generic_category(), path);
    }
    std::size_t done = 0;
    while (done < data.size()) {
        const ssize_t n = ::write(fd, data.data() + done, data.size() - done);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            const int problem = errno;
            ::close(fd);
            throw std::system_error(problem, std::generic_category(), path);
        }
        done += static_cast<std::size_t>(n);
    }
    if (::close(fd) != 0) {
        throw std::system_error(errno, std::generic_category(), path);
    }
}

}  // namespace spool
