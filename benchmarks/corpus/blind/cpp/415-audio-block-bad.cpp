#include <cstddef>
#include <iostream>

class AudioBlock {
public:
    explicit AudioBlock(std::size_t frames) : frames_(frames), data_(new float[frames]()) {}
    AudioBlock(const AudioBlock&) = delete;
    AudioBlock& operator=(const AudioBlock&) = delete;

    void release()
    {
        delete[] data_;
        frames_ = 0;
    }

    std::size_t frames() const { return frames_; }

    ~AudioBlock() { delete[] data_; }

private:
    std::size_t frames_;
    float* data_;
};

int main()
{
    AudioBlock block(512);
    std::cout << block.frames() << '\n';
    block.release();
    std::cout << block.frames() << '\n';
    return 0;
}
