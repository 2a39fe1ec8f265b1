#include <cstdint>
#include <fstream>
#include <string>

struct Mesh {
    std::uint32_t vertices = 0;
    std::uint32_t faces = 0;
};

Mesh* load_mesh(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        return nullptr;
    }
    Mesh* mesh = new Mesh;
    in.read(reinterpret_cast<char*>(&mesh->vertices), sizeof mesh->vertices);
    in.read(reinterpret_cast<char*>(&mesh->faces), sizeof mesh->faces);
    if (!in || mesh->vertices == 0) {
        return nullptr;
    }
    return mesh;
}

int main(int argc, char** argv)
{
    Mesh* mesh = argc > 1 ? load_mesh(argv[1]) : nullptr;
    const bool ok = mesh != nullptr;
    delete mesh;
    return ok ? 0 : 1;
}
